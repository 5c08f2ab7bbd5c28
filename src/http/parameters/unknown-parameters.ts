// Parameters that a route does not have: named in a header of the answer, or refused where the client asks for that.
import type { TObject } from 'typebox';
import { closestWord } from '../../kernel/text/closest-word.ts';
import { phrase, type Wording } from '../../locales/phrases.ts';
import { ApiError, mistypedParameters } from '../errors.ts';
import { parametersOf, wireSchema } from '../schemas/keywords.ts';
import { flag } from '../schemas/primitives.ts';
import { coerced } from './coercion.ts';
import { UNDECLARED, type Use } from './compile.ts';
import type { ParameterMap } from './parameter-map.ts';
import { MAX_LIST_MEMBERS } from './validators.ts';

/** Read before there is a route, or after its handler. */
const OF_EVERY_REQUEST = ['_fields', '_envelope', '_locale', '_jsonp', '_method', 'strict'] as const;

const strictness = flag('request.strict');

/** Clients choose them, so what is repeated of them has its limits. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 60;
const MAX_HEADER_LENGTH = 1_000;

/** A name that was sent, and those that there are in its place. */
interface Unknown {
  readonly name: string;
  readonly offered: readonly string[];
}

/** What may be sent in one place. */
interface Place {
  /** In front of its names: nothing, or `venue.`. */
  readonly prefix: string;
  readonly known: ReadonlySet<string>;
  readonly offered: readonly string[];
}

const placeOf = (schema: TObject, prefix: string, undeclared: readonly string[] = []): Place => {
  const declared = parametersOf(schema);
  return {
    prefix,
    known: new Set([...declared.map(([name]) => name), ...undeclared]),
    offered: declared.flatMap(([name, one]) => (wireSchema(one).hidden === undefined ? [prefix + name] : [])),
  };
};

/**
 * Finds the names of what was sent and is not declared by the schema, the first 20 of them, shortened to 60 characters;
 * of a venue or organizer that is to be created as `venue.colour`. Throws the 400 that names them if `strict` was sent.
 */
export function compileUnknown(schema: TObject, use: Use): (values: ParameterMap) => readonly string[] {
  const whole = placeOf(schema, '', [...UNDECLARED[use], ...OF_EVERY_REQUEST]);
  const entries = parametersOf(schema).flatMap(([name, one]): (readonly [string, Place])[] => {
    const { check } = wireSchema(one);
    return Array.isArray(check) && check[0] === 'linkedPosts' ? [[name, placeOf(check[2], `${name}.`)]] : [];
  });
  return (values) => {
    let unknown = unknownIn(values, whole, NONE);
    for (const [name, place] of entries)
      for (const entry of entriesIn(values[name])) unknown = unknownIn(entry, place, unknown);
    if (isStrict(values) && unknown.length > 0) throw unknownParameters(unknown, whole.offered);
    return unknown.length === 0 ? NO_NAMES : [...new Set(unknown.map(({ name }) => name))];
  };
}

const NONE: readonly Unknown[] = [];
const NO_NAMES: readonly string[] = [];

/** Those found before, and what is unknown in this place. */
function unknownIn(
  values: { readonly [name: string]: unknown },
  { prefix, known, offered }: Place,
  before: readonly Unknown[],
): readonly Unknown[] {
  let unknown: Unknown[] | null = null;
  for (const name in values) {
    if (known.has(name)) continue;
    unknown ??= [...before];
    if (unknown.length === MAX_NAMES) break;
    unknown.push({ name: shortened(prefix + name), offered });
  }
  return unknown ?? before;
}

const shortened = (name: string): string => [...name.slice(0, 2 * MAX_NAME_LENGTH)].slice(0, MAX_NAME_LENGTH).join('');

/**
 * The objects of a value that are to be created, as many as a list may have. One with an id is a link: it may be what was
 * read, sent back.
 */
const entriesIn = (value: unknown): readonly { readonly [name: string]: unknown }[] =>
  (Array.isArray(value) ? value.slice(0, MAX_LIST_MEMBERS) : [value]).filter(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one) && !('id' in one),
  );

function isStrict({ strict }: ParameterMap): boolean {
  if (strict === undefined) return false;
  const outcome = coerced(strict, strictness);
  if (outcome.kind === 'mistyped') throw mistypedParameters(new Map([['strict', outcome.type]]));
  return outcome.kind === 'value' && outcome.value === true;
}

/** 400; says what the route has, and what may have been meant. */
function unknownParameters(unknown: readonly Unknown[], offered: readonly string[]): ApiError {
  const why = new Map(unknown.map((one) => [one.name, notKnown(one)]));
  const all =
    offered.length === 0 ? phrase('no_parameters') : phrase('allowed_parameters', { values: [...offered].sort() });
  return new ApiError('rest_invalid_param', {
    text: phrase('refused_parameter', {
      name: [...why.keys()],
      why: (language) => [...why.values(), all].map((one) => one(language)).join(' '),
    }),
    data: (language) => ({
      params: Object.fromEntries([...why].map(([name, one]) => [name, one(language)])),
      details: [],
    }),
  });
}

function notKnown({ name, offered }: Unknown): Wording {
  const meant = closestWord(name, offered);
  return meant === undefined
    ? phrase('unknown_parameter', { name })
    : phrase('unknown_parameter_meant', { name, meant });
}

/** The names for a header, as many as fit into it; what must not be in one is percent-encoded. */
export function namesForHeader(names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    const longer = `${text === '' ? '' : `${text}, `}${encodeURIComponent(name.toWellFormed())}`;
    if (longer.length > MAX_HEADER_LENGTH) break;
    text = longer;
  }
  return text;
}
