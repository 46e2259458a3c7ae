import { deprecationPhase } from '../deprecation.ts';
import type { SharedJson } from '../http/shared-json.ts';
import { actions } from '../registry.ts';

/**
 * The members of a catalogue as JSON text, without the braces around them. Made anew only when a deprecation enters its
 * next phase: nothing else changes it.
 */
export function catalogMembers(make: (now: number) => Record<string, unknown>): (now: number) => SharedJson {
  const texts = new Map<string, SharedJson>();
  return (now) => {
    const phases = phasesAt(now);
    let text = texts.get(phases);
    if (text === undefined) {
      text = { before: '', shared: JSON.stringify(make(now)).slice(1, -1), after: '' };
      texts.set(phases, text);
    }
    return text;
  };
}

const ends = [...actions.values()].flatMap(({ deprecation }) => (deprecation === undefined ? [] : [deprecation.since]));

function phasesAt(now: number): string {
  return ends.map((since) => deprecationPhase(since, now) ?? 'before').join();
}
