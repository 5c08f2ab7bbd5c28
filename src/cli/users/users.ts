// `daybook users`: the table of its subcommands.
import type { Group } from '../command.ts';
import { addUser } from './add.ts';
import { changeEmail } from './email.ts';
import { userHistory } from './history.ts';
import { listUsers } from './list.ts';
import { removeUser } from './remove.ts';
import { renameUser } from './rename.ts';
import { showResetLink } from './reset-link.ts';
import { revokeToken } from './revoke.ts';
import { changeRole } from './role.ts';
import { setUserPassword } from './set-password.ts';
import type { UsersDependencies } from './shared.ts';
import { showUser } from './show.ts';
import { issueToken } from './token.ts';

export const usersGroup: Group<UsersDependencies> = {
  name: 'users',
  subcommands: {
    add: addUser,
    list: listUsers,
    show: showUser,
    token: issueToken,
    revoke: revokeToken,
    'set-password': setUserPassword,
    'reset-link': showResetLink,
    role: changeRole,
    rename: renameUser,
    email: changeEmail,
    remove: removeUser,
    history: userHistory,
  },
};
