// A stored hash that costs nothing to check. The text of a hash records its cost, and tests of other parts need not pay
// today's, some 40 ms of processor time, whenever a service meets one of their users.
import { randomBytes, scryptSync } from 'node:crypto';

/** As `hashPassword` makes them, of the lowest cost. */
export function cheapHash(secret: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(secret, salt, 32, { N: 2, r: 1, p: 1 });
  return `$scrypt$ln=1,r=1,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
