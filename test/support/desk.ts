// Visiting the desk over HTTP as a browser does: with its cookie, and the fields of the forms that it was shown.
import type { Answer, As, SendHeaders, TestService } from './service.ts';

export interface Fields {
  readonly [name: string]: string | readonly string[];
}

export interface Visitor {
  get(path: string, headers?: SendHeaders): Promise<Answer>;
  post(path: string, fields: Fields, headers?: SendHeaders): Promise<Answer>;
  /** A body in its own encoding. */
  raw(path: string, body: Uint8Array, headers: SendHeaders): Promise<Answer>;
  /** What this user types at the sign-in. */
  credentials(as: As): { readonly login: string; readonly password: string };
  /** The cookie that the browser holds; '' for none. */
  cookie: string;
}

export function visitorOf(daybook: Pick<TestService, 'request' | 'authorization'>): Visitor {
  const visitor: Visitor = {
    cookie: '',
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, fields, headers) => send('POST', path, encoded(fields), headers),
    raw: (path, body, headers) => send('POST', path, body, { origin: 'http://cal.example', ...headers }),
    credentials: (as) => ({ login: as, password: daybook.authorization(as).replace('Bearer ', '') }),
  };

  async function send(method: string, path: string, body: string | Uint8Array | undefined, headers: SendHeaders = {}) {
    const answer = await daybook.request('anonymous', method, `/${path}`, body, {
      ...(visitor.cookie !== '' && { cookie: visitor.cookie }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://cal.example' }),
      ...headers,
    });
    const set = answer.headers['set-cookie'];
    if (set !== undefined) visitor.cookie = /Max-Age=0|1970/.test(set) ? '' : (set.split(';', 1)[0] ?? '');
    return answer;
  }

  return visitor;
}

/** A visitor who has signed in. */
export async function signedIn(daybook: Parameters<typeof visitorOf>[0], as: As): Promise<Visitor> {
  const visitor = visitorOf(daybook);
  const { status } = await visitor.post('/desk/sign-in', visitor.credentials(as));
  if (status !== 303) throw new Error(`${as} cannot sign in: ${status}`);
  return visitor;
}

const encoded = (fields: Fields): string =>
  String(
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one]),
      ),
    ),
  );

const ENTITIES: { readonly [entity: string]: string } = { quot: '"', amp: '&', lt: '<', gt: '>' };

/** The fields of the form with this action, filled in as they were shown; of the last form without one. */
export function formOf({ text }: Answer, action?: string): { [name: string]: string } {
  const forms = [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)];
  const form = action === undefined ? forms.at(-1) : forms.find(([, tag = '']) => tag.includes(`action="${action}"`));
  const inputs = [...(form?.[2] ?? '').matchAll(/<input\b((?:[^>"]|"[^"]*")*)>/g)];
  return Object.fromEntries(
    inputs.flatMap(([, tag = ''], at) => {
      const name = attribute(tag, 'name');
      const isUnticked = / type="(?:checkbox|radio)"/.test(tag) && !/ checked\b/.test(tag);
      return name === null || isUnticked ? [] : [[name.replace('[]', `[${at}]`), attribute(tag, 'value') ?? '']];
    }),
  );
}

/** The text areas of a page, and the chosen options of its lists. */
export function textAreasOf({ text }: Answer): { [name: string]: string } {
  const areas = [...text.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].map(([, tag = '', value = '']) => [
    attribute(tag, 'name'),
    decoded(value.replace(/^\n/, '')),
  ]);
  const lists = [...text.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, tag = '', options = '']) => {
    const [, chosen = '', name = ''] = /<option\b([^>]* selected[^>]*)>([^<]*)/.exec(options) ?? [];
    const isEmpty = / value(?!=)/.test(chosen);
    return [attribute(tag, 'name'), isEmpty ? '' : (attribute(chosen, 'value') ?? decoded(name))];
  });
  return Object.fromEntries([...areas, ...lists].filter(([name]) => name !== null));
}

const decoded = (text: string): string =>
  text.replace(/&(quot|amp|lt|gt);/g, (_, entity: string) => ENTITIES[entity] ?? '');

function attribute(tag: string, name: string): string | null {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined
    ? null
    : value.replace(/&(quot|amp|lt|gt);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
