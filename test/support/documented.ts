// Holds answers of a service against its own document: nothing may be answered that is not documented, to the last member.
import Schema, { type XSchema } from 'typebox/schema';
import {
  type Answer,
  type As,
  type Body,
  PREFIX,
  type SendHeaders,
  type ServiceOptions,
  startTestService,
  type TestService,
} from './service.ts';

/** One exchange, as far as it matters to the document. */
export interface Exchange {
  readonly method: string;
  /** Below the prefix, with its query. */
  readonly target: string;
  readonly status: number;
  readonly headers: { readonly [name: string]: string | undefined };
  /** Parsed; undefined where there is none, or none that is JSON. */
  readonly body: Body;
}

export interface DocumentCheck {
  /** What is wrong with an answer; nothing when it is as documented. */
  problems(exchange: Exchange): string[];
  /** `GET /events 200` for each documented answer that has been met so far. */
  readonly met: ReadonlySet<string>;
}

/** Of HTTP, and what only tells browsers what to do. */
const UNDOCUMENTED_HEADERS =
  /^(?:content-(?:type|length|disposition|security-policy)|date|transfer-encoding|connection|keep-alive|expires|x-robots-tag|x-content-type-options|access-control-.*|referrer-policy|cross-origin-.*|strict-transport-security)$/;

/** `document` is what `GET /doc` answered. */
export function openDocumentCheck(document: Body): DocumentCheck {
  const routes = routesOf(document);
  const $defs = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, strict(schema)]),
  );
  const validators = new Map<string, (value: unknown) => string[]>();
  const met = new Set<string>();

  function validatorFor(schema: Body) {
    const key = JSON.stringify(schema);
    const known = validators.get(key);
    if (known) return known;
    const compiled = Schema.Compile({ ...strict(schema), $defs } as XSchema);
    const made = (value: unknown): string[] => {
      if (compiled.Check(value)) return [];
      const [, errors] = compiled.Errors(value);
      return errors
        .slice(0, 12)
        .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`);
    };
    validators.set(key, made);
    return made;
  }

  function bodyProblems(content: Body, { headers, body }: Pick<Exchange, 'headers' | 'body'>): string[] {
    if (content === undefined) return body === undefined ? [] : ['there is a body'];
    const type = headers['content-type']?.split(';', 1)[0] ?? '';
    if (content[type] === undefined) return [`nothing is documented of the type ${type}`];
    return type === 'application/json' ? validatorFor(content[type].schema)(body) : [];
  }

  function problems({ method, target, status, headers, body }: Exchange): string[] {
    const path = routes.find(({ pattern }) => pattern.test(target.split('?', 1)[0] ?? ''))?.path;
    const operation = path === undefined ? undefined : document.paths[path][method.toLowerCase()];
    // What is no path to the service, though it looks like one, is answered without methods.
    if (status === 404 && body?.code === 'rest_no_route' && headers.allow === undefined) return [];
    if (operation === undefined) return [`${method} ${target} is not documented, and answers ${status}`];
    const key = `${method} ${path} ${status}`;
    const answer = resolved(document, operation.responses[status]);
    if (answer === undefined) return [`${key} is not documented: ${JSON.stringify(body)?.slice(0, 300)}`];
    met.add(key);
    const inBody = bodyProblems(answer.content, { headers, body });
    return [...inBody, ...headerProblems(document, answer, headers)].map((problem) => `${key}: ${problem}`);
  }

  return { problems, met };
}

function headerProblems(document: Body, answer: Body, headers: Exchange['headers']): string[] {
  const documented = Object.entries(answer.headers ?? {}).map(
    ([name, header]) => [name.toLowerCase(), resolved(document, header)] as const,
  );
  const names = new Set(documented.map(([name]) => name));
  const missing = documented.filter(([name, { required }]) => required && headers[name] === undefined);
  const strange = Object.keys(headers).filter((name) => !names.has(name) && !UNDOCUMENTED_HEADERS.test(name));
  return [
    ...missing.map(([name]) => `the header ${name} is missing`),
    ...strange.map((name) => `the header ${name} is not documented`),
  ];
}

/** What a reference leads to. */
export function resolved(document: Body, value: Body): Body {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((at: Body, name: string) => at?.[name], document);
}

/** Paths as patterns, those without variables first. */
function routesOf(document: Body): { readonly path: string; readonly pattern: RegExp }[] {
  return Object.keys(document.paths)
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .map((path) => {
      const pattern = path
        .replaceAll('.', '\\.')
        .replace(/\{(?:id|credential)\}/g, '\\d+')
        .replace(/\{\w+\}/, '[^/]+')
        .replace(/\/$/, '');
      return { path, pattern: new RegExp(`^${pattern}/*$`, 'i') };
    });
}

/** A schema of the document as one that lets nothing pass that it does not name. */
export function strict(schema: Body): Body {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { discriminator: _, $ref, properties, ...rest } = schema;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/components/schemas/', '#/$defs/') };
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, NESTING.has(name) ? strict(value) : value]),
    ),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, strict(member)])),
      additionalProperties: rest.additionalProperties ?? false,
    }),
  };
}

const NESTING: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);

/** Arguments that change what an answer looks like, or which operation it is of. */
const REFRAMING = /[?&](?:_envelope|_fields|_method)/;

export interface DocumentedService extends TestService {
  readonly check: DocumentCheck;
}

/** A service whose every answer is held against its document. */
export const startDocumentedService = async (options: ServiceOptions = {}): Promise<DocumentedService> =>
  documented(await startTestService(options));

export async function documented(service: TestService): Promise<DocumentedService> {
  const check = openDocumentCheck((await service.get('/doc')).body);

  async function request(
    as: As,
    method: string,
    target: string,
    body?: unknown,
    headers: SendHeaders = {},
  ): Promise<Answer> {
    const answer = await service.request(as, method, target, body, headers);
    const below = target.startsWith(`/${PREFIX}`) ? target.slice(PREFIX.length + 1) : target;
    if (!isComparable(method, below, headers)) return answer;
    const found = check.problems({ ...answer, method, target: below });
    if (found.length > 0) throw new Error(`not as documented:\n${found.join('\n')}\n${answer.text.slice(0, 600)}`);
    return answer;
  }

  return {
    ...service,
    check,
    request,
    get: (target, as = 'anonymous', headers = {}) => request(as, 'GET', target, undefined, headers),
    async created(as, collection, body) {
      const answer = await request(as, 'POST', `/${collection}`, body);
      if (answer.status !== 201) throw new Error(`POST /${collection} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
  };
}

const isComparable = (method: string, target: string, headers: SendHeaders): boolean =>
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) &&
  !target.startsWith('//') &&
  !REFRAMING.test(target) &&
  !Object.keys(headers).some((name) => name.toLowerCase() === 'x-http-method-override');
