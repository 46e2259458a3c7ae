import { describe, expect, it } from '@jest/globals';
import { CreateUser, UpdateUser } from '../../../domain/contracts/users.ts';

const PERSON = { email: 'sipho@acme.example', given_name: 'Sipho', family_name: 'Mokoena' };

/** What is wrong with each field. */
const issuesOf = (input: object, schema: typeof CreateUser | typeof UpdateUser = CreateUser) =>
  (schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

describe('the name of a person', () => {
  it.each([
    ['given_name', 'http://evil.example/win'],
    ['given_name', 'WWW.Evil'],
    ['family_name', 'Win at evil.example'],
    ['family_name', 'EVIL.COM'],
    ['name', 'You won, see Evil.Com/now'],
    ['name', 'ftp://10.0.0.1'],
  ])('with a web address is refused: %s %j', (field, value) => {
    const issue = [[field, 'must not hold a web address; write a space after a full stop']];
    expect(issuesOf({ ...PERSON, [field]: value })).toEqual(issue);
    expect(issuesOf({ [field]: value }, UpdateUser)).toEqual(issue);
  });

  it.each([
    ['given_name', 'A\u0000B'],
    ['family_name', 'A\nB'],
    ['name', 'A\u202eB'],
  ])('with a control or invisible character is refused: %s %j', (field, value) => {
    expect(issuesOf({ ...PERSON, [field]: value })).toEqual([[field, 'must not hold control or invisible characters']]);
  });

  it.each(['\u3164', ' \u2800 ', '\u200b'])('of nothing that can be seen is refused: %j', (given_name) => {
    expect(issuesOf({ ...PERSON, given_name })).toContainEqual(['given_name', 'must not be blank']);
  });

  it.each([
    'J.R.R. Tolkien Jr.',
    'St.John Ph.D.',
    'D’Arcy O’Brien-Smith',
    'María José',
    '李小龍',
    'Thandi Nkosi, M.Sc. (Hons.)',
  ])('may be %s', (name) => {
    expect(CreateUser.parse({ ...PERSON, name: ` ${name} ` }).name).toBe(name);
  });
});
