// Users and their credentials as clients see them.
import Type, { type TObject } from 'typebox';
import { ROLES } from '../../../auth/caller.ts';
import { address, instant, integer, listOf, object, oneOf, optional, orNull, text } from './members.ts';

const credentialMembers = {
  id: integer('Number of the token among those of its user.'),
  label: text('What it was issued for.'),
  issued: instant('When it was issued, in UTC.'),
};

const userMembers = {
  id: integer('Id of the user.'),
  login: text('What the user signs in with.'),
  name: text('Name as shown to others.'),
  email: text('E-mail address; empty for none.'),
  role: oneOf('What the user may do.', ROLES),
  credentials: listOf(Type.Ref('Credential'), 'Tokens that are good to sign in with.'),
  url: address('Address of the user in this API.'),
  ...optional({
    single_sign_on: object('Who the user is to the single sign-on.', {
      issuer: text('Issuer of the tokens.'),
      subject: text("The issuer's name for the user."),
    }),
  }),
};

/** Told once, to whoever asked for it. */
const token = {
  password: orNull(
    text('The token, told this once. Null when the request was repeated: then revoke it and issue another.'),
  ),
};

export const credential: TObject = object('A token as it is listed; its text is stored nowhere.', credentialMembers);
export const issuedCredential: TObject = object('The token, with its text.', { ...credentialMembers, ...token });
export const user: TObject = object('A user.', userMembers);
export const addedUser: TObject = object('The user, with the token.', { ...userMembers, ...token });
export const credentials: TObject = object('The tokens.', {
  credentials: listOf(Type.Ref('Credential'), 'Those that are good to sign in with.'),
});
