/** Letters and digits that readers take for each other cost half a letter. */
const ALIKE = ['il1jtf|!', 'oO0dqcea', 'b8h6', 'nhmur', 'vuyw', 's58', 'pfe', 'krx', 'gq9', 'z2', 'b8er', 'mh'];

/** Dearer than a letter that was lost: a name with another letter in it is more often another name. */
const UNLIKE = 1.2;

/** Edit distance in which look-alikes cost half; more than `limit` is not told apart. */
export function misreading(read: string, meant: string, limit: number): number {
  let row = Array.from({ length: meant.length + 1 }, (_, i) => i);
  for (let i = 1; i <= read.length; i++) {
    const next = [i];
    for (let j = 1; j <= meant.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + substitution(read[i - 1]!, meant[j - 1]!)));
    }
    row = next;
    if (Math.min(...row) > limit) return Infinity;
  }
  return row[meant.length]!;
}

function substitution(a: string, b: string): number {
  if (a === b) return 0;
  return ALIKE.some((group) => group.includes(a) && group.includes(b)) ? 0.5 : UNLIKE;
}
