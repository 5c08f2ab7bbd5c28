// Fills the fields of a change into the sentence for it.

import { decodeEntities, stripTags } from '../../../kernel/text/plain-text.ts';
import type { Sentence, Sentences } from '../../../locales/language.ts';
import type { Actor, Json } from '../../../log/envelope.ts';
import type { Fields } from '../../../rendering/public-fields.ts';
import { isObject, saysNothing } from './field-changes.ts';

const MAX_VALUE = 200;
const PLACEHOLDER = /\{([a-zA-Z_.]+)\}/g;

/** A recorded fact. */
interface DescribedEvent {
  readonly type: string;
  readonly data: Json;
}

/** What happened, as a sentence. `before` is null for a new resource. */
export function sentenceFor(
  sentences: Sentences,
  { type, data }: DescribedEvent,
  before: Fields | null,
  after: Fields,
): string {
  const sentence = sentenceOf(sentences, type);
  if (sentence === undefined) return sentenceForUnknown(sentences, type);
  const value = (name: string): Json | undefined => {
    if (name.startsWith('before.')) return before?.[name.slice('before.'.length)];
    if (name.startsWith('fact.')) return memberOf(data, name.slice('fact.'.length));
    return after[name];
  };
  const { separator } = sentences;
  return variantFor(sentence, value).replace(PLACEHOLDER, (_, name: string) => inWords(value(name), separator));
}

/** `notice.text`: the text in the notice. */
const memberOf = (data: Json, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((inner, name) => (isObject(inner) ? inner[name] : undefined), data);

/** The sentence for a change that was proposed, with who approved it and who proposed it. */
export function sentenceForProposed(
  { proposed }: Sentences,
  summary: string,
  approver: Actor,
  { id, author }: { readonly id: number; readonly author: Actor },
): string {
  return filled(proposed, { summary, approver: approver.name, author: author.name, id: String(id) });
}

export const sentenceForBypassed = ({ bypassed }: Sentences, summary: string, reason: string): string =>
  filled(bypassed, { summary, reason });

/** A sentence with values in the places that have their names. */
export const filled = (sentence: string, values: { readonly [name: string]: string }): string =>
  sentence.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '');

/** The sentence for a change of a resource whose content is gone; sentences with content are replaced. */
export function sentenceWithoutContent(sentences: Sentences, type: string): string {
  const sentence = sentenceOf(sentences, type);
  if (sentence === undefined) return sentenceForUnknown(sentences, type);
  return typeof sentence === 'string' && !sentence.includes('{') ? sentence : sentences.erased;
}

/** The sentence for a fact that this version cannot read. */
export const sentenceForUnknown = ({ unknown }: Sentences, type: string): string =>
  unknown.replace('{type}', () => type);

function sentenceOf({ facts }: Sentences, type: string): Sentence | undefined {
  const table: { readonly [type: string]: Sentence } = facts;
  return Object.hasOwn(table, type) ? table[type] : undefined;
}

function variantFor(sentence: Sentence, value: (name: string) => Json | undefined): string {
  if (typeof sentence === 'string') return sentence;
  return saysNothing(value(sentence.by)) ? sentence.none : sentence.some;
}

function inWords(value: Json | undefined, separator: string): string {
  if (Array.isArray(value)) return value.map((member) => inWords(member, separator)).join(separator);
  if (isObject(value)) return nameIn(value, separator);
  if (value === undefined || value === null) return '';
  const text = decodeEntities(stripTags(String(value)));
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE).toWellFormed()}…`;
}

/** A resource by its name; by its id if it has none, or the reader may not know the name. */
function nameIn({ id, ...others }: { readonly [key: string]: Json }, separator: string): string {
  const [name] = Object.values(others);
  return typeof name === 'string' ? inWords(name, separator) : `#${id}`;
}
