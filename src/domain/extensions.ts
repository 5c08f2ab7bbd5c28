// Members that came along from another calendar and mean nothing here: they are kept, and shown as they came.

/** What JSON can say. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [member: string]: Plain };

/** Values by the names of members. */
export type Extensions = { readonly [member: string]: Plain };
