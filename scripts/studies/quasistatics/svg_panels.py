"""Curves over time in panels one above the other, as an SVG, without a plotting library."""
import math

from svg_plot import COLOURS, WIDTH

LEFT, RIGHT, TOP, BOTTOM, PANEL, GAP = 80, 190, 30, 40, 120, 16
MANY = 400  # points of a curve; of more than twice as many some are left out
DASHES = ("", "6 3", "2 3", "8 3 2 3")


def ticks(low, high):
    """Round numbers in [low, high], about five."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= 5)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def draw(title, panels, path, x_label="time (s)", marks=(), width=WIDTH):
    """Writes panels (label of the y axis -> name of a curve -> (x, y)); `marks` are vertical lines. A name has one colour in all panels."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    every_x = [x for curves in panels.values() for xs, _ in curves.values() for x in (xs[0], xs[-1])]
    x0, x1 = min(every_x), max(every_x)
    height = TOP + len(panels) * (PANEL + GAP) - GAP + BOTTOM

    def across(x):
        return LEFT + (x - x0) / (x1 - x0) * (width - LEFT - RIGHT)

    def text(px, py, words, anchor="start", colour="#222"):
        return f'<text x="{px:.1f}" y="{py:.1f}" font-size="12" text-anchor="{anchor}" fill="{colour}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif">',
             f'<rect width="{width}" height="{height}" fill="white"/>', text(LEFT, 18, title), text(across(0.5 * (x0 + x1)), height - 8, x_label, "middle")]
    parts += [text(across(x), height - BOTTOM + 16, f"{x:.4g}", "middle") for x in ticks(x0, x1)]
    for i, (label, curves) in enumerate(panels.items()):
        top = TOP + i * (PANEL + GAP)
        values = [float(v) for _, ys in curves.values() for v in ys]
        low, high = min(values), max(values)
        room = 0.08 * (high - low) or 1e-3
        low, high = low - room, high + 3 * room  # above the curves: the label

        def up(y, top=top, low=low, high=high):
            return top + (high - y) / (high - low) * PANEL

        parts += [f'<rect x="{LEFT}" y="{top}" width="{width - LEFT - RIGHT}" height="{PANEL}" fill="none" stroke="#999"/>',
                  text(LEFT + 6, top + 14, label, colour="#555")]
        for y in ticks(low, high):
            parts += [f'<line x1="{LEFT}" x2="{width - RIGHT}" y1="{up(y):.1f}" y2="{up(y):.1f}" stroke="#eee"/>', text(LEFT - 6, up(y) + 4, f"{y + 0.0:.4g}", "end")]
        parts += [f'<line x1="{across(x):.1f}" x2="{across(x):.1f}" y1="{top}" y2="{top + PANEL}" stroke="#2e8b57" stroke-dasharray="4 3"/>' for x in marks]
        for name, (xs, ys) in curves.items():
            k = names.index(name)
            every = max(1, len(xs) // MANY)
            points = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in zip(xs[::every], ys[::every]))
            parts.append(f'<polyline fill="none" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="1.5" stroke-dasharray="{DASHES[k % len(DASHES)]}" points="{points}"/>')
    for k, name in enumerate(names):
        y = TOP + 12 + 18 * k
        parts += [f'<line x1="{width - RIGHT + 8}" x2="{width - RIGHT + 32}" y1="{y - 4}" y2="{y - 4}" stroke="{COLOURS[k % len(COLOURS)]}" stroke-width="1.5" '
                  f'stroke-dasharray="{DASHES[k % len(DASHES)]}"/>', text(width - RIGHT + 38, y, name, colour=COLOURS[k % len(COLOURS)])]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
