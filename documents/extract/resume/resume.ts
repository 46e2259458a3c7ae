import type { ExtractionField } from '../../types.ts';
import { readingOrder } from '../columns.ts';
import type { ExtractContext } from '../context.ts';
import { readEducation, readExperience, readSkills } from './entries.ts';
import { type SectionName, sectionsOf } from './headings.ts';
import { findAddress, findEmail, findName, findPhone } from './person.ts';

/**
 * A curriculum vitae: name, e-mail, phone and address of its head; skills as a list of texts; education and experience as
 * lists of entries. Two columns are read one after the other.
 */
export function extractResume(context: ExtractContext): Record<string, ExtractionField> {
  const lines = readingOrder(context.lines);
  const sections = sectionsOf(lines);
  const linesOf = (name: SectionName) =>
    sections.filter((section) => section.name === name).flatMap((section) => section.lines);
  const email = findEmail(lines);
  const name = findName(context.lines, email?.value as string | undefined);
  const education = linesOf('education');
  const experience = linesOf('experience');
  const skills = linesOf('skills');
  const found: Record<string, ExtractionField | undefined> = {
    name,
    email,
    phone: findPhone(sections),
    address: findAddress(sections, name?.value as string | undefined),
    skills: skills.length > 0 ? readSkills(skills) : undefined,
    education: education.length > 0 ? readEducation(education) : undefined,
    experience: experience.length > 0 ? readExperience(experience) : undefined,
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, ExtractionField] => entry[1] !== undefined),
  );
}
