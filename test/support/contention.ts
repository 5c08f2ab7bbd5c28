// Many who want the same at once, over HTTP: how they were answered, and how long the slowest waited.
import { someEvent } from './service.ts';

export interface Contended {
  /** How many answers of each status. */
  readonly statuses: { readonly [status: number]: number };
  readonly bodies: readonly Body[];
  /** Of all answers, in milliseconds. */
  readonly p99: number;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any;

/** `apis`: roots of the processes that are asked in turn. */
export interface Contenders {
  readonly apis: readonly string[];
  /** The header of that name. */
  readonly authorization: string;
}

async function atOnce(count: number, send: (index: number) => Promise<Response>): Promise<Contended> {
  const statuses: { [status: number]: number } = {};
  const times: number[] = [];
  const bodies = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const begun = performance.now();
      const answer = await send(index);
      const body = await answer.json();
      times.push(performance.now() - begun);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      return body;
    }),
  );
  times.sort((one, other) => one - other);
  return { statuses, bodies, p99: times[Math.ceil(count * 0.99) - 1] ?? 0 };
}

const request = ({ apis, authorization }: Contenders, index: number, method: string, path: string, body: object) =>
  fetch(`${apis[index % apis.length]}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** So many writers change one event at once, each so often. */
export const changesOfOne = (all: Contenders, id: number, writers: number): Promise<Contended> =>
  atOnce(writers, (index) => request(all, index, 'PATCH', `/events/${id}`, { description: `By writer ${index}` }));

/** So many writers create something of the same title at once. */
export const creationsOfOneTitle = (all: Contenders, writers: number): Promise<Contended> =>
  atOnce(writers, (index) => request(all, index, 'POST', '/events', someEvent({ title: 'Same Title' })));
