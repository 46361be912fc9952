/** /common/components: every component of the system by name, and whether it is active. */
export type Components = Readonly<Record<string, 'active' | 'inactive'>>

export const retrieveComponents = (components: Components) => async () => components
