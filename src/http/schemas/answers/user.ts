// Users and their credentials as clients see them.
import Type, { type TObject } from 'typebox';
import { ROLES } from '../../../auth/caller.ts';
import { address, instant, integer, listOf, object, oneOf, optional, orNull, text } from './members.ts';

const credentialMembers = {
  id: integer('credential.id'),
  label: text('credential.label'),
  issued: instant('credential.issued'),
};

const userMembers = {
  id: integer('user.id'),
  login: text('shown_user.login'),
  name: text('shown_user.name'),
  email: text('shown_user.email'),
  role: oneOf('shown_user.role', ROLES),
  credentials: listOf(Type.Ref('Credential'), 'shown_user.credentials'),
  url: address('shown_user.url'),
  ...optional({
    single_sign_on: object('single_sign_on', {
      issuer: text('single_sign_on.issuer'),
      subject: text('single_sign_on.subject'),
    }),
  }),
};

/** Shown once, in the answer to its creation. */
const token = {
  password: orNull(text('credential.password')),
};

export const credential: TObject = object('credential', credentialMembers);
export const issuedCredential: TObject = object('credential.issued_answer', { ...credentialMembers, ...token });
export const user: TObject = object('shown_user', userMembers);
export const addedUser: TObject = object('user.added', { ...userMembers, ...token });
export const credentials: TObject = object('user.credentials_answer', {
  credentials: listOf(Type.Ref('Credential'), 'user.credentials_list'),
});
