// A run folder as large as that of a scene which takes hours, in a minute: the program writes the start, and the frames
// after it are that one, swaying. To measure the page with, see measure.mjs.
// Usage: node stand_in.mjs PROGRAM SCENE FRAMES FOLDER
import { spawn } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [program, scene, count, folder] = process.argv.slice(2);
const DIFFERENT = 48;
const frame = (n) => path.join(folder, 'frames', `${String(n).padStart(6, '0')}.npy`);

rmSync(folder, { recursive: true, force: true });
const child = spawn(program, ['run', scene, '--frames', count, '-o', folder, '--quiet'], { stdio: 'inherit' });
const ended = new Promise((done) => child.on('exit', done));
while (child.exitCode === null && !existsSync(path.join(folder, 'checkpoint.bin'))) await new Promise((done) => setTimeout(done, 100));
child.kill('SIGKILL');
await ended;

const bytes = readFileSync(frame(0));
const head = 10 + bytes.readUInt16LE(8);
const start = new Float32Array(bytes.buffer.slice(bytes.byteOffset + head, bytes.byteOffset + bytes.length));
for (let n = 1; n <= Number(count); ++n) {
  rmSync(frame(n), { force: true });
  if (n > DIFFERENT) {
    linkSync(frame(1 + ((n - 1) % DIFFERENT)), frame(n));
    continue;
  }
  const angle = (2 * Math.PI * n) / DIFFERENT;
  const moved = start.slice();
  for (let i = 0; i < moved.length; i += 3) {
    moved[i] += 0.2 * Math.sin(angle + start[i + 1]);
    moved[i + 1] += 0.1 * Math.cos(angle + start[i]) - 0.1;
  }
  writeFileSync(frame(n), Buffer.concat([bytes.subarray(0, head), Buffer.from(moved.buffer)]));
}
