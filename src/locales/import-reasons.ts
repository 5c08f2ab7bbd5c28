// Why imports refuse a record or take a part of it, in the language of the reader. Importers, their reports and the log
// have one English sentence for it; that sentence is the key by which the others are found.
import en from './en.json' with { type: 'json' };
import type { ImportReason, Language } from './language.ts';

interface Pattern {
  readonly reason: ImportReason;
  readonly sentence: RegExp;
}

const PLACEHOLDER = /\{([a-z]+)\}/;
/** One word; any other placeholder may be a part of a sentence. */
const WORDS: ReadonlySet<string> = new Set(['name', 'count', 'host', 'seconds', 'zone', 'site']);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(text: string): RegExp {
  // Every other part is the name of a placeholder.
  const parts = text.split(PLACEHOLDER);
  const source = parts.map((part, at) =>
    at % 2 === 0 ? escaped(part) : `(?<${part}>${WORDS.has(part) ? '\\S+?' : '.+?'})`,
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

const literal = (text: string): number => text.replace(/\{[a-z]+\}/g, '').length;

/** Those that say most come first: `no {name}` would fit too much. */
const PATTERNS: readonly Pattern[] = Object.entries(en.imports)
  .toSorted(([, one], [, other]) => literal(other) - literal(one))
  // The keys are those of the file.
  .map(([reason, text]) => ({ reason: reason as ImportReason, sentence: patternOf(text) }));

/** What an importer said, in this language; in English if the language has no sentence for it. */
export function importReasonIn(language: Language, said: string): string {
  if (language.code === 'en') return said;
  for (const { reason, sentence } of PATTERNS) {
    const values = sentence.exec(said)?.groups;
    if (values === undefined && !sentence.test(said)) continue;
    return language.imports[reason].replaceAll(new RegExp(PLACEHOLDER, 'g'), (_, name: string) => {
      const value = values?.[name] ?? '';
      return name === 'detail' ? importReasonIn(language, value) : value;
    });
  }
  return said;
}
