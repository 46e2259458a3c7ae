import { describe, expect, test } from '@jest/globals';
import { headingOf } from '../../../../documents/extract/resume/headings.ts';
import { extractResume } from '../../../../documents/extract/resume/resume.ts';
import { contextOf, valuesOf, withLargePrint } from '../support.ts';

const lines = [
  'Last updated in March 2024',
  'Maria van Dijk',
  'Utrecht, NL | maria.dijk@example.com | +31 6 1234 5678',
  'Experience',
  'Senior Engineer                                    Jan 2020 – present',
  'Acme B.V.                                          Utrecht, NL',
  '• Led a team of five',
  '• Cut costs by 20%',
  'Engineer                                           03/2016 – 12/2019',
  'Globex Ltd',
  '• Built the first product',
  'Education',
  'Delft University, MSc in Physics                   2012 – 2015',
  'Skills',
  'Languages: Python, C++, Rust',
  'Tools: Git, Docker,',
  'Kubernetes',
];

describe('resume', () => {
  const fields = extractResume(withLargePrint(lines, [1]));
  const values = valuesOf(fields);

  test('the head: name in the largest print, e-mail, phone, town', () => {
    expect(values).toMatchObject({
      name: 'Maria van Dijk',
      email: 'maria.dijk@example.com',
      phone: '+31 6 1234 5678',
      address: 'Utrecht, NL',
    });
  });

  test('experience, entry by entry', () => {
    expect(values['experience']).toEqual([
      {
        title: 'Senior Engineer',
        company: 'Acme B.V.',
        from: '2020-01',
        to: 'present',
        description: 'Led a team of five\nCut costs by 20%',
      },
      {
        title: 'Engineer',
        company: 'Globex Ltd',
        from: '2016-03',
        to: '2019-12',
        description: 'Built the first product',
      },
    ]);
  });

  test('education and skills', () => {
    expect(values['education']).toEqual([
      { institution: 'Delft University', degree: 'MSc in Physics', from: '2012', to: '2015' },
    ]);
    expect(values['skills']).toEqual(['Python', 'C++', 'Rust', 'Git', 'Docker', 'Kubernetes']);
  });

  test('years are no telephone number; a heading is no name', () => {
    const plain = valuesOf(
      extractResume(contextOf(['CURRICULUM VITAE', 'Experience', 'Clerk 2001-2005', 'Baker 2006 - 2010'])),
    );
    expect(plain['phone']).toBeUndefined();
    expect(plain['name']).toBeUndefined();
  });

  test('two columns: the sidebar does not run into the text', () => {
    const left = [
      'SKILLS',
      'Welding',
      'Painting',
      'Forklift',
      'LANGUAGES',
      'English',
      'Zulu',
      'HOBBIES',
      'Chess',
      'Cycling',
    ];
    const right = [
      'EXPERIENCE',
      'Welder, Steel Works Ltd',
      '• Joined beams on site',
      '• Trained two others',
      '• Kept the log',
      'EDUCATION',
      'Durban Technical College',
      'Certificate in Welding 2012',
      '• With distinction',
      '• Best of the year',
    ];
    const columns = left.map((text, index) => `${text.padEnd(30)}${right[index]!}`);
    const read = valuesOf(extractResume(contextOf(['SIPHO DLAMINI', 'sipho.dlamini@example.co.za', ...columns])));
    expect(read['name']).toBe('SIPHO DLAMINI');
    expect(read['skills']).toEqual(['Welding', 'Painting', 'Forklift']);
    expect(read['education']).toEqual([
      { institution: 'Durban Technical College', degree: 'Certificate in Welding', from: null, to: '2012' },
    ]);
  });

  test.each([
    ['Work Experience', 'experience'],
    ['BERUFSERFAHRUNG', 'experience'],
    ['Expérience professionnelle', 'experience'],
    ['Formación académica', 'education'],
    ['Opleidingen', 'education'],
    ['E D U C A T I O N', 'education'],
    ['Kenntnisse', 'skills'],
    ['Experience with large teams of engineers and others', undefined],
    ['', undefined],
  ])('heading %s', (text, section) => {
    expect(headingOf(text)).toBe(section);
  });

  test('an empty document has no fields', () => {
    expect(extractResume(contextOf([]))).toEqual({});
  });
});
