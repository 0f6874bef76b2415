"""Line plots as SVG, without any package."""

import html
import math

COLORS = ["#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c", "#ccb974", "#64b5cd", "#222222", "#b0c400"]
WIDTH, HEIGHT = 760, 440
LEFT, TOP, BOTTOM = 80, 30, 56
LEGEND, LETTER = 150, 6.8  # the least width of names beside a plot, and of a letter of them


class Axis:
    """Maps numbers to pixels, linearly or by their logarithms, and knows round places between."""

    def __init__(self, values, first, last, log):
        self.log, self.first, self.last = log, first, last
        places = [self.place(v) for v in values]
        low, high = min(places), max(places)
        self.low, self.high = (math.floor(low), math.ceil(high)) if log else (low, high)
        if self.low == self.high:
            self.low, self.high = self.low - 1, self.high + 1

    def place(self, value):
        return math.log10(value) if self.log else value

    def pixel(self, value):
        return self.first + (self.place(value) - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self):
        if self.log:
            step = max(1, round((self.high - self.low) / 8))
            return [10.0 ** k for k in range(self.low, self.high + 1, step)]
        raw = (self.high - self.low) / 6
        size = 10 ** math.floor(math.log10(raw))
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def shown(number, log):
    if log:
        return f"10<tspan dy='-5' font-size='9'>{round(math.log10(number))}</tspan>"
    return f"{number:g}"


def line_plot(path, title, across, up, lines, log_across=False, log_up=False, dashed=()):
    """Writes a plot. `lines` maps a name to a list of (across, up); what a logarithm cannot show is left out. Lines named in `dashed` are thin and grey. Of the others every second one is
    dashed and drawn last, so that it hides none that it lies on."""
    lines = {name: [(x, y) for x, y in points if (x > 0 or not log_across) and (y > 0 or not log_up) and math.isfinite(y)] for name, points in lines.items()}
    lines = {name: points for name, points in lines.items() if points}
    right = WIDTH - 48 - max(LEGEND, round(LETTER * max(len(name) for name in lines)))
    xs = Axis([x for points in lines.values() for x, _ in points], LEFT, right, log_across)
    ys = Axis([y for points in lines.values() for _, y in points], HEIGHT - BOTTOM, TOP, log_up)
    out = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{HEIGHT}' font-family='sans-serif' font-size='12'>",
           f"<rect width='{WIDTH}' height='{HEIGHT}' fill='white'/>", f"<text x='{LEFT}' y='18' font-size='14'>{html.escape(title)}</text>"]
    for tick in xs.ticks():
        x = xs.pixel(tick)
        out += [f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{TOP}' y2='{HEIGHT - BOTTOM}' stroke='#e4e4e4'/>",
                f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 18}' text-anchor='middle'>{shown(tick, log_across)}</text>"]
    for tick in ys.ticks():
        y = ys.pixel(tick)
        out += [f"<line x1='{LEFT}' x2='{right}' y1='{y:.1f}' y2='{y:.1f}' stroke='#e4e4e4'/>",
                f"<text x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{shown(tick, log_up)}</text>"]
    out += [f"<text x='{(LEFT + right) / 2}' y='{HEIGHT - 14}' text-anchor='middle'>{html.escape(across)}</text>",
            f"<text transform='translate(18,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)' text-anchor='middle'>{html.escape(up)}</text>"]
    for number, (name, points) in sorted(enumerate(lines.items()), key=lambda line: line[0] % 2):
        color = "#999999" if name in dashed else COLORS[number % len(COLORS)]
        style = "stroke-width='1' stroke-dasharray='5 4'" if name in dashed else "stroke-width='1.8' stroke-dasharray='7 5'" if number % 2 else "stroke-width='1.6'"
        path_points = " ".join(f"{xs.pixel(x):.1f},{ys.pixel(y):.1f}" for x, y in points)
        y = TOP + 12 + 18 * number
        out += [f"<polyline points='{path_points}' fill='none' stroke='{color}' {style}/>",
                f"<line x1='{right + 12}' x2='{right + 36}' y1='{y}' y2='{y}' stroke='{color}' {style}/>",
                f"<text x='{right + 42}' y='{y + 4}'>{html.escape(name)}</text>"]
    path.write_text("\n".join(out + ["</svg>"]) + "\n")
