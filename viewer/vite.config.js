// The page is one file: the server sends it as it is, and a report is it with the data put in.
import { createHash } from 'node:crypto';

import { defineConfig } from 'vite';

/**
 * What the page may do, also as a report: run its own script and no other, and ask nobody but the server it came from.
 * That keeps out what a hostile run might bring along; who makes a hostile report writes these lines himself.
 */
function policy(script) {
  const hash = createHash('sha256').update(script).digest('base64');
  return (
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; ` +
    "worker-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'"
  );
}

/** Puts the script and the style of the build into the page. */
function inlined() {
  return {
    name: 'inlined',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html'];
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        const text = item.type === 'chunk' ? item.code : String(item.source);
        // A closing tag within a script would end it.
        const safe = text.replaceAll('</script', '<\\/script');
        const tag =
          item.type === 'chunk'
            ? new RegExp(`<script[^>]*src="[^"]*${item.fileName}"[^>]*></script>`)
            : new RegExp(`<link[^>]*href="[^"]*${item.fileName}"[^>]*>`);
        if (!tag.test(page.source)) throw new Error(`the page does not use ${name}`);
        page.source = page.source.replace(tag, '');
        const end = item.type === 'chunk' ? '</body>' : '</head>';
        const block = item.type === 'chunk' ? `<script type="module">${safe}</script>\n` : `<style>${text}</style>\n`;
        page.source = page.source.replace(end, () => block + end);
        if (item.type === 'chunk') {
          const first = '<meta charset="utf-8" />';
          const rules = `${first}\n    <meta http-equiv="Content-Security-Policy" content="${policy(safe)}" />`;
          page.source = page.source.replace(first, () => rules);
        }
        delete bundle[name];
      }
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [inlined()],
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 1 << 30,
    chunkSizeWarningLimit: 2000,
  },
  test: { include: ['tests/**/*.test.ts'] },
});
