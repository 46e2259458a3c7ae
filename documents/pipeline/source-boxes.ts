import type { Cut, Extraction, LineItemCell, PageBox } from '../types.ts';

/** The boxes of what was read on a cut, in the pixels of the page that it was cut out of: the upright hull of each. */
export function onSourcePage(extraction: Extraction, cut: Cut): Extraction {
  const mapped = (bbox: PageBox): PageBox => sourceBox(bbox, cut);
  const cell = (value: LineItemCell): LineItemCell => (value.bbox ? { ...value, bbox: mapped(value.bbox) } : value);
  return {
    ...extraction,
    fields: Object.fromEntries(
      Object.entries(extraction.fields).map(([name, field]) => [
        name,
        { ...field, bbox: field.bbox && mapped(field.bbox) },
      ]),
    ),
    line_items: extraction.line_items.map(({ description, quantity, unit_price, total, ...others }) => ({
      ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, cell(value)])),
      description: cell(description),
      quantity: cell(quantity),
      unit_price: cell(unit_price),
      total: cell(total),
    })),
  };
}

export function sourceBox(box: PageBox, cut: Cut): PageBox {
  const points = [
    [box.x, box.y],
    [box.x + box.width, box.y],
    [box.x, box.y + box.height],
    [box.x + box.width, box.y + box.height],
  ].map(([x, y]) => sourcePoint(x!, y!, cut));
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: tenth(Math.max(...xs) - x), height: tenth(Math.max(...ys) - y), page: cut.page };
}

function sourcePoint(x: number, y: number, { text, corners }: Cut): [number, number] {
  // The reader may have turned the cut further; its own share of the way across and down it is taken back first.
  const [u, v] = beforeTurn(x / text.width, y / text.height, text.rotation);
  const [origin, right, , below] = corners as [[number, number], [number, number], [number, number], [number, number]];
  return [
    tenth(origin[0] + u * (right[0] - origin[0]) + v * (below[0] - origin[0])),
    tenth(origin[1] + u * (right[1] - origin[1]) + v * (below[1] - origin[1])),
  ];
}

function beforeTurn(u: number, v: number, rotation: Cut['text']['rotation']): [number, number] {
  if (rotation === 90) return [v, 1 - u];
  if (rotation === 180) return [1 - u, 1 - v];
  if (rotation === 270) return [1 - v, u];
  return [u, v];
}

const tenth = (value: number): number => Math.round(value * 10) / 10;
