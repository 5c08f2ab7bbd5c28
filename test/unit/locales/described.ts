// What the API says about itself, in every language, walked side by side.
import type { TestService } from '../../support/service.ts';

/** A text for people: where it stands, in English and in another language. */
export interface Pair {
  readonly at: string;
  readonly english: string;
  readonly translated: string;
}

export interface Comparison {
  readonly texts: readonly Pair[];
  /** Where the two differ in anything but texts. */
  readonly differences: readonly string[];
}

/** The answers that describe the API, and its shims beside the alias of `DESCRIBED`. */
export const DESCRIBING = [
  ['GET', ''],
  ['GET', '/doc'],
  ['OPTIONS', '/events'],
  ['GET', '//wp-json/wp/v2'],
] as const;

export const DESCRIBED = { environment: { DAYBOOK_PREFIX_ALIASES: 'wp-json/tribe/events/v1' } };

const isText = (name: string, at: string): boolean =>
  (name === 'description' || name === 'summary') && !EXAMPLE.test(at);

/** What an example sends is as it is in every language. */
const EXAMPLE = /\/examples?\//;

/** Compares two answers to the same question. */
export function compared(english: unknown, translated: unknown, at = ''): Comparison {
  if (!isStructure(english) || !isStructure(translated))
    return { texts: [], differences: Object.is(english, translated) ? [] : [at] };
  const texts: Pair[] = [];
  const differences = Object.keys(english).join() === Object.keys(translated).join() ? [] : [`the members of ${at}`];
  for (const [name, member] of Object.entries(english)) {
    const [place, other] = [`${at}/${name}`, translated[name]];
    if (isText(name, place) && typeof member === 'string' && typeof other === 'string')
      texts.push({ at: place, english: member, translated: other });
    else {
      const below = compared(member, other, place);
      texts.push(...below.texts);
      differences.push(...below.differences);
    }
  }
  return { texts, differences };
}

const isStructure = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null;

/** All that the API says about itself in this language, beside the English of it. */
export async function describedIn({ request }: TestService, code: string): Promise<Comparison> {
  const texts: Pair[] = [];
  const differences: string[] = [];
  for (const [method, path] of DESCRIBING) {
    const ask = (language: string) =>
      request('anonymous', method, path, undefined, { 'accept-language': language }).then(({ body }) => body);
    const found = compared(await ask('en'), await ask(code), `${method} ${path}`);
    texts.push(...found.texts);
    differences.push(...found.differences);
  }
  return { texts, differences };
}
