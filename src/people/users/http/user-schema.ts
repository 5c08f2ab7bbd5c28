// Users and their credentials on the wire: parameters and answers of their routes.
import Type from 'typebox';
import { type ListSettings, search } from '../../../http/schemas/lists.ts';
import * as shown from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging, refused, text } from '../../../http/schemas/primitives.ts';
import { ROLES, type Role } from '../../auth/caller.ts';

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
  // The login never changes; the handler says so if another one is sent.
  update: Type.Object({ id, ...optional({ role, name, email, login: refused() }) }),
  remove: Type.Object({ id }),
  password: Type.Object({ id, password: text('user.new_password', 'nonEmptyString') }),
  credentials: Type.Object({ id }),
  issue: Type.Object({ id, label }),
  revoke: Type.Object({ id }),
  passwordLink: Type.Object({ id }),
  searches: Type.Object({ id }),
  saveSearch: Type.Object({
    id,
    name: text('saved_search.name', 'searchName'),
    query: text('saved_search.query', 'searchQuery'),
    ...optional({ former: text('user.search_former', 'searchName') }),
  }),
  removeSearch: Type.Object({ id, name: text('saved_search.name', 'searchName') }),
  sessions: Type.Object({ id }),
  endSessions: Type.Object({ id, ...optional({ session: integer('user.session_to_end', 'positiveInt') }) }),
  history: ({ perPage }: ListSettings) => Type.Object({ id, ...paging(perPage) }),
};

const credentialMembers = {
  id: shown.integer('credential.id'),
  label: shown.text('credential.label'),
  issued: shown.instant('credential.issued'),
};

const userMembers = {
  id: shown.integer('user.id'),
  login: shown.text('shown_user.login'),
  name: shown.text('shown_user.name'),
  email: shown.text('shown_user.email'),
  role: shown.oneOf('shown_user.role', ROLES),
  credentials: shown.listOf(Type.Ref('Credential'), 'shown_user.credentials'),
  url: shown.address('shown_user.url'),
  ...optional({
    single_sign_on: shown.object('single_sign_on', {
      issuer: shown.text('single_sign_on.issuer'),
      subject: shown.text('single_sign_on.subject'),
    }),
  }),
};

/** Shown once, in the answer to its creation. */
const token = {
  password: shown.orNull(shown.text('credential.password')),
};

export const credential = shown.object('credential', credentialMembers);
export const issuedCredential = shown.object('credential.issued_answer', { ...credentialMembers, ...token });
export const user = shown.object('shown_user', userMembers);
export const addedUser = shown.object('user.added', { ...userMembers, ...token });
export const credentials = shown.object('user.credentials_answer', {
  credentials: shown.listOf(Type.Ref('Credential'), 'user.credentials_list'),
});

export const passwordLink = shown.object('password_link', {
  url: shown.address('password_link.url'),
  expires: shown.instant('password_link.expires'),
});

const session = shown.object('session', {
  id: shown.integer('session.id'),
  started: shown.instant('session.started'),
  expires: shown.instant('session.expires'),
});

export const sessions = shown.object('user.sessions_answer', {
  sessions: shown.listOf(session, 'user.sessions_list'),
});

const savedSearch = shown.object('saved_search', {
  name: shown.text('saved_search.name'),
  query: shown.text('saved_search.query'),
});

export const searches = shown.object('user.searches_answer', {
  searches: shown.listOf(savedSearch, 'user.searches_kept'),
});
