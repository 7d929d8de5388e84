"""Curves with both axes logarithmic, error against step as a rule, as an SVG: enough for a page, without a plotting library."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 190, 30, 50
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#34495e", "#e08283")
MANY = 20  # points of a curve that are not marked one by one


def log_log(title, steps, curves, path, x_label="time step (s)", y_label="error (m)", slope=1):
    """Writes the curves (name -> errors, one a step; or name -> (steps, errors)) and a line of that slope (None: no line)."""
    curves = {name: errors if isinstance(errors, tuple) else (steps, errors) for name, errors in curves.items()}
    values = [error for _, errors in curves.values() for error in errors if error > 0]
    x0, x1 = math.log10(min(steps)) - 0.15, math.log10(max(steps)) + 0.15
    y0, y1 = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def x(step):
        return LEFT + (math.log10(step) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)

    def y(error):
        return HEIGHT - BOTTOM - (math.log10(error) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)

    def text(px, py, words, anchor="start", colour="#222"):
        return f'<text x="{px:.1f}" y="{py:.1f}" font-size="12" text-anchor="{anchor}" fill="{colour}">{words}</text>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(LEFT, 18, f"{title}: {y_label}"),
             text(0.5 * (LEFT + WIDTH - RIGHT), HEIGHT - 12, x_label, "middle")]
    for decade in range(y0, y1 + 1):
        height = y(10.0 ** decade)
        parts += [f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>', text(LEFT - 6, height + 4, f"1e{decade}", "end")]
    for decade in range(math.ceil(x0), math.floor(x1) + 1):
        across = x(10.0 ** decade)
        parts += [f'<line x1="{across:.1f}" x2="{across:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>',
                  text(across, HEIGHT - BOTTOM + 16, f"1e{decade}", "middle")]
    for i, (name, (at, errors)) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        points = [(x(step), y(error)) for step, error in zip(at, errors) if error > 0]
        parts += [f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{" ".join(f"{px:.1f},{py:.1f}" for px, py in points)}"/>']
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>' for px, py in points if len(points) <= MANY]
        parts += [text(WIDTH - RIGHT + 10, TOP + 16 + 18 * i, name, colour=colour)]
    first = next(iter(curves.values()))[1]
    slope_end = 0.0 if slope is None else min(first[0], 10.0 ** y1) * (min(steps) / max(steps)) ** slope
    if slope_end >= 10.0 ** y0:
        parts += [f'<line x1="{x(max(steps)):.1f}" y1="{y(first[0]):.1f}" x2="{x(min(steps)):.1f}" y2="{y(slope_end):.1f}" stroke="#888" stroke-dasharray="4 3"/>',
                  text(WIDTH - RIGHT + 10, TOP + 16 + 18 * len(curves), f"slope {slope}", colour="#888")]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
