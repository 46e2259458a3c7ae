import { deprecationPhase } from '../deprecation.ts';
import { actions } from '../registry.ts';

/** A catalogue as JSON text, made anew only when a deprecation enters its next phase: nothing else changes it. */
export function catalogText(make: (now: number) => unknown): (now: number) => string {
  const texts = new Map<string, string>();
  return (now) => {
    const phases = phasesAt(now);
    let text = texts.get(phases);
    if (text === undefined) {
      text = JSON.stringify(make(now));
      texts.set(phases, text);
    }
    return text;
  };
}

const ends = [...actions.values()].flatMap(({ deprecation }) => (deprecation === undefined ? [] : [deprecation.since]));

function phasesAt(now: number): string {
  return ends.map((since) => deprecationPhase(since, now) ?? 'before').join();
}
