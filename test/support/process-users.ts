// Users of a service that is a process of its own, and what they send.
import { randomUUID } from 'node:crypto';
import { openLog } from '../../src/composition.ts';
import { readConfig } from '../../src/config.ts';
import type { Role } from '../../src/people/auth/caller.ts';
import { newSecret } from '../../src/people/auth/passwords.ts';
import { addUser as add, passwordOf } from '../../src/people/users/commands/users.ts';
import { cheapHash } from './cheap-hash.ts';
import { contextAt } from './events.ts';
import type { Serving } from './process.ts';

export interface ProcessUser {
  readonly name: string;
  readonly password: string;
}

/** Adds a user to the log that these settings name, as `daybook users add` does, without a process for it. */
export async function addUser(
  settings: { readonly [name: string]: string },
  name: string,
  role: Role,
): Promise<ProcessUser> {
  const log = await openLog(readConfig(settings));
  try {
    const { store } = log;
    const dependencies = {
      store,
      newEventId: randomUUID,
      newSecret,
      hashSecret: async (text: string) => cheapHash(text),
    };
    const context = contextAt(Math.floor(Date.now() / 1000));
    const added = await add(dependencies, context, { login: name, email: '', name, label: 'test', role });
    if (added.kind === 'rejected') throw new Error(`cannot add ${name}: ${added.rejection.code}`);
    return { name, password: String(passwordOf(added.written)) };
  } finally {
    await log.close();
  }
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
