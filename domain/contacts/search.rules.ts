/** More words than these narrow a search no further; each costs a look at the index. */
const MAX_WORDS = 8;

/**
 * The `like` patterns of a search, one for each word. A word of one or two characters holds no trigram, so it is looked
 * for at the beginning of words only, where its blank makes one. A wide ％ becomes an ordinary one here, where it is escaped:
 * the database takes off accents in the same way.
 */
export function patternsOf(search: string): string[] {
  const words = search
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => {
    const literal = word.replaceAll(/[\\%_]/g, String.raw`\$&`);
    return Array.from(word).length < 3 ? `% ${literal}%` : `%${literal}%`;
  });
}
