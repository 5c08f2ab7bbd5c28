// The parameters of the routes of users.
import { ROLES } from '../../auth/caller.ts';
import { oneOf } from '../parameters/allowed.ts';
import { allowing, filledText, nonEmptyString, stringOrEmpty } from '../parameters/validators.ts';
import type { ParameterTable } from '../route.ts';
import { type ListSettings, search } from './lists.ts';
import { anyId, anything, pageNumber, perPage, required, text } from './primitives.ts';

const isRole = allowing(oneOf(ROLES), (value) => ROLES.some((role) => role === value));

const role = text('One of administrator, editor, author, contributor, subscriber.', isRole);
const name = text('Name of the user as shown to others.', filledText);
const email = text('E-mail address, which signs in like the login; empty for none.', stringOrEmpty);
const label = text('What the token is for.', filledText);
const id = anyId('user');

export const userTables = {
  list: ({ perPage: size }: ListSettings): ParameterTable => ({
    page: pageNumber,
    per_page: perPage(size),
    search: search('the login, the name or the e-mail address'),
    role: text('Only users with this role.', isRole),
  }),
  create: {
    login: required(text('What the user signs in with, at most 60 characters without a colon.', nonEmptyString)),
    role: required(role),
    name,
    email,
    label,
  },
  me: {},
  read: { id },
  // The login is for ever; the handler says so when another one is sent.
  update: { id, role, name, email, login: anything('The login does not change.', undefined, { hidden: true }) },
  remove: { id },
  credentials: { id },
  issue: { id, label: required(label) },
  revoke: { id },
  history: ({ perPage: size }: ListSettings): ParameterTable => ({ id, page: pageNumber, per_page: perPage(size) }),
} as const;
