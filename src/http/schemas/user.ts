// The parameters of the routes of users.
import Type from 'typebox';
import type { Role } from '../../auth/caller.ts';
import { type ListSettings, search } from './lists.ts';
import { anyId, optional, paging, refused, text } from './primitives.ts';

const role = text<Role>('user.role', 'role');
const name = text('user.name', 'filledText');
const email = text('user.email', 'stringOrEmpty');
const label = text('user.label', 'filledText');
const id = anyId('user');

export const userTables = {
  list: ({ perPage }: ListSettings) =>
    Type.Object({
      ...paging(perPage),
      ...optional({ search: search('user_list.search'), role: text<Role>('user_list.role', 'role') }),
    }),
  create: Type.Object({ login: text('user.login', 'nonEmptyString'), role, ...optional({ name, email, label }) }),
  me: Type.Object({}),
  read: Type.Object({ id }),
  // The login is for ever; the handler says so when another one is sent.
  update: Type.Object({ id, ...optional({ role, name, email, login: refused() }) }),
  remove: Type.Object({ id }),
  credentials: Type.Object({ id }),
  issue: Type.Object({ id, label }),
  revoke: Type.Object({ id }),
  history: ({ perPage }: ListSettings) => Type.Object({ id, ...paging(perPage) }),
};
