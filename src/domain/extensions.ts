// Members imported from another calendar that have no field here: stored and shown unchanged.

/** Any JSON value. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [member: string]: Plain };

/** Values by member name. */
export type Extensions = { readonly [member: string]: Plain };
