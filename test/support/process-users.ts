// Users of a service that is a process of its own, and what they send.
import * as assert from 'uvu/assert';
import { daybook, type Serving } from './process.ts';

export interface ProcessUser {
  readonly name: string;
  readonly password: string;
}

/** Adds a user to the log that these settings name. */
export async function addUser(
  settings: { readonly [name: string]: string },
  name: string,
  role: string,
): Promise<ProcessUser> {
  const added = daybook(['users', 'add', name, '--role', role, '--json'], settings);
  assert.is(await added.ended, 0, added.errors());
  return JSON.parse(added.out());
}

/** Posts the body, or reads if there is none. */
export async function call({ api }: Serving, { name, password }: ProcessUser, path: string, body?: object) {
  const answer = await fetch(`${api}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
