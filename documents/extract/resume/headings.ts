import type { Line } from '../../layout/lines.ts';

export type SectionName = 'experience' | 'education' | 'skills' | 'contact' | 'other';

/** Headings of a curriculum vitae in English, German, French, Spanish, Dutch, Italian and Portuguese. */
const HEADINGS: [SectionName, RegExp][] = [
  [
    'experience',
    /^(?:(?:work|professional|relevant|employment|career|job|industry|research|teaching|other)\s*(?:&\s*\w+\s*)?)*(?:experiences?|history|employment)$|^(?:berufserfahrung|beruflicher werdegang|praktische erfahrung|berufspraxis|exp[ée]riences?(?: professionnelles?)?|parcours professionnel|experiencia(?: laboral| profesional)?|werkervaring|ervaring|esperienz[ae](?: (?:lavorativ|professional)[aei]+)?|experi[êe]ncia(?: profissional)?)$/iu,
  ],
  [
    'education',
    /^(?:education(?:al)?(?: (?:and|&) (?:training|qualifications?|certifications?)| background| history)?|academic (?:background|qualifications?|history)|qualifications?|ausbildung|bildungsweg|studium|schulbildung|formations?(?: acad[ée]mique)?|[ée]tudes|dipl[oô]mes|educaci[oó]n|formaci[oó]n(?: acad[ée]mica)?|opleiding(?:en)?|istruzione(?: e formazione)?|forma[çc][ãa]o(?: acad[êe]mica)?)$/iu,
  ],
  [
    'skills',
    /^(?:(?:technical|key|core|professional|it|computer|soft|relevant)?\s*(?:skills?|competenc(?:es|ies)|expertise|technologies|proficiencies)(?: (?:and|&) \w+)?|areas of expertise|tech(?:nical)? stack|kenntnisse|f[äa]higkeiten|edv-?kenntnisse|kompetenzen|comp[ée]tences(?: \w+)?|habilidades|competencias|aptitudes|vaardigheden|competenze|capacit[àa]|compet[êe]ncias)$/iu,
  ],
  [
    'contact',
    /^(?:contact(?: (?:details|info(?:rmation)?|me))?|personal (?:details|information|data)|kontakt(?:daten)?|pers[öo]nliche (?:daten|angaben)|coordonn[ée]es|contacto|datos personales|persoonlijke gegevens|contatti|contatos?)$/iu,
  ],
  [
    'other',
    /^(?:(?:selected |personal |academic |side |key )?projects?|publications?|patents?|(?:selected )?hono(?:u)?rs(?: (?:and|&) awards)?|awards?(?: (?:and|&) \w+)?|certific(?:ates?|ations?)|licen[sc]es?(?: (?:and|&) certifications?)?|languages?|interests?|hobbies|(?:professional |executive |career )?(?:summary|profile|objective)|about(?: me)?|references?|volunteer(?:ing)?(?: \w+)?|invited talks|presentations?|writing|extracurricular(?: activit(?:y|ies))?|activities|memberships?|affiliations?|courses?|training|achievements|program committees?|sprachen|sprachkenntnisse|interessen|hobbys|profil|[üu]ber mich|zertifikate|weiterbildung(?:en)?|referenzen|langues|centres d.int[ée]r[êe]t|loisirs|profil|r[ée]f[ée]rences|idiomas|intereses|perfil|referencias|talen|interesses|profiel|referenties|lingue|interessi|profilo|l[íi]nguas)$/iu,
  ],
];

/** The section that a line opens; undefined where it is no heading. */
export function headingOf(text: string): SectionName | undefined {
  const plain = unspaced(
    text
      .replace(/[^\p{L}&\s-]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  if (plain === '' || plain.split(' ').length > 6) return undefined;
  return HEADINGS.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** "E D U C A T I O N": headings set with wide letters. */
const unspaced = (text: string): string => (/^(?:\p{L} )+\p{L}$/u.test(text) ? text.replace(/ /g, '') : text);

export interface Section {
  name: SectionName | 'head';
  lines: Line[];
}

/** "John Doe – 2/3", "Page 2": the foot of a page. */
const PAGE_NUMBER = /(?:^|[–—|·-]\s*)\d{1,2}\s*(?:\/|of|von|sur|de|van)\s*\d{1,2}\W*$|^\W*page\s+\d+\W*$/i;

/** The sections in reading order; what stands before the first heading is the head. */
export function sectionsOf(lines: Line[]): Section[] {
  const sections: Section[] = [{ name: 'head', lines: [] }];
  for (const line of lines) {
    if (PAGE_NUMBER.test(line.text)) continue;
    const name = headingOf(line.text);
    if (name) sections.push({ name, lines: [] });
    else sections.at(-1)!.lines.push(line);
  }
  return sections;
}
