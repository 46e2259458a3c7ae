export interface Point {
  x: number;
  y: number;
}

export interface RotatedRect {
  cx: number;
  cy: number;
  width: number;
  height: number;
  /** Radians; the direction of `width`. */
  angle: number;
}

const cross = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);

/** Andrew's monotone chain; points must be sorted by x, then y. */
export function convexHull(points: Point[]): Point[] {
  if (points.length < 3) return points;
  const half = (ordered: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(points), ...half([...points].reverse())];
}

/** The rectangle of least area around a hull: one of its sides lies on a side of the hull. */
export function minimumAreaRect(hull: Point[]): RotatedRect {
  let best: RotatedRect | undefined;
  let bestArea = Infinity;
  for (let i = 0; i < hull.length; i++) {
    const a = hull[i]!;
    const b = hull[(i + 1) % hull.length]!;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    const rect = boundingRectAt(hull, angle);
    const area = rect.width * rect.height;
    if (area < bestArea) {
      bestArea = area;
      best = rect;
    }
  }
  return normaliseAngle(best ?? boundingRectAt(hull, 0));
}

function boundingRectAt(points: Point[], angle: number): RotatedRect {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  let minU = Infinity;
  let maxU = -Infinity;
  let minV = Infinity;
  let maxV = -Infinity;
  for (const p of points) {
    const u = p.x * cos + p.y * sin;
    const v = -p.x * sin + p.y * cos;
    if (u < minU) minU = u;
    if (u > maxU) maxU = u;
    if (v < minV) minV = v;
    if (v > maxV) maxV = v;
  }
  const u = (minU + maxU) / 2;
  const v = (minV + maxV) / 2;
  return { cx: u * cos - v * sin, cy: u * sin + v * cos, width: maxU - minU, height: maxV - minV, angle };
}

/** Brings the angle into (-45°, 45°], swapping the sides where a quarter turn is taken away. */
export function normaliseAngle(rect: RotatedRect): RotatedRect {
  let { angle, width, height } = rect;
  while (angle > Math.PI / 4) {
    angle -= Math.PI / 2;
    [width, height] = [height, width];
  }
  while (angle <= -Math.PI / 4) {
    angle += Math.PI / 2;
    [width, height] = [height, width];
  }
  return { cx: rect.cx, cy: rect.cy, width, height, angle };
}

export function axisAlignedBox(rect: RotatedRect): { x: number; y: number; width: number; height: number } {
  const cos = Math.abs(Math.cos(rect.angle));
  const sin = Math.abs(Math.sin(rect.angle));
  const width = rect.width * cos + rect.height * sin;
  const height = rect.width * sin + rect.height * cos;
  return { x: rect.cx - width / 2, y: rect.cy - height / 2, width, height };
}
