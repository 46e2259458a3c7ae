const MAX_PATTERN = 200;
/** Texts are this long at most: the caller cuts them. */
const MAX_TEXT = 300;
/** Steps that a match may take at the worst: some tens of milliseconds. */
const MAX_WAYS = (MAX_TEXT + 1) ** 3;

/**
 * A caller's pattern, if no text can make it run long; else what is wrong with it, as the rest of a sentence.
 *
 * JavaScript's matcher tries ways through a pattern one after the other. Each quantifier multiplies the ways by the counts
 * that it may take, each alternation by its branches, and a pattern that may begin anywhere by the text's length. Their
 * product bounds the time, so a pattern over the bound is refused, as are those where the product says nothing: a repeated
 * group with a choice inside (nested quantifiers, "(a|a)*"), back references and look-arounds.
 */
export function safeRegex(pattern: string): RegExp | string {
  if (pattern.length > MAX_PATTERN) return `is a pattern of more than ${String(MAX_PATTERN)} characters`;
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, 'u');
  } catch {
    return 'is not a valid pattern';
  }
  const outsideClasses = pattern.replace(/\\[^1-9k]/gu, '_').replace(/\[[^\]]*\]/gu, '_');
  if (/\\[1-9]|\\k|\(\?(?!:)/.test(outsideClasses)) return 'uses back references, look-arounds or named groups';
  const ways = countWays(pattern);
  if (ways === undefined) return 'repeats a group that holds a choice or a repetition';
  const anchored = pattern.startsWith('^') && !pattern.includes('|');
  if (ways * (anchored ? 1 : MAX_TEXT) > MAX_WAYS) return 'has too many repetitions';
  return regex;
}

/** Upper bound of the ways through a pattern; undefined where a group with a choice inside is repeated. */
function countWays(pattern: string): number | undefined {
  const open: { ways: number; branches: number }[] = [{ ways: 1, branches: 1 }];
  let last = 1;
  for (let at = 0; at < pattern.length;) {
    const level = open.at(-1)!;
    const token = nextToken(pattern, at);
    at += token.length;
    if (token.startsWith('(')) open.push({ ways: 1, branches: 1 });
    else if (token === ')') {
      open.pop();
      last = level.ways * level.branches;
      open.at(-1)!.ways *= last;
      continue;
    } else if (token === '|') level.branches++;
    else {
      const counts = countsOf(token);
      // `?` after a quantifier makes it lazy: the same ways in another order.
      if (counts !== undefined) {
        if (last > 1 && counts.most > 1) return undefined;
        level.ways *= counts.most - counts.least + 1;
      }
    }
    last = 1;
  }
  return open.reduce((product, { ways, branches }) => product * ways * branches, 1);
}

/** An escape, a class, a group's opening, a quantifier with its laziness, or one character. */
function nextToken(pattern: string, at: number): string {
  const rest = pattern.slice(at);
  return /^(?:\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|\{\d+(?:,\d*)?\}\??|[*+?]\??|[^])/u.exec(rest)![0];
}

function countsOf(token: string): { least: number; most: number } | undefined {
  if (token.startsWith('*')) return { least: 0, most: MAX_TEXT };
  if (token.startsWith('+')) return { least: 1, most: MAX_TEXT };
  if (token.startsWith('?')) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (least === undefined) return undefined;
  const from = Math.min(Number(least), MAX_TEXT);
  if (comma === '') return { least: from, most: from };
  return { least: from, most: most ? Math.min(Number(most), MAX_TEXT) : MAX_TEXT };
}
