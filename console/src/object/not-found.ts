/** Where the interface answers "not found" because there is nothing of a kind, a page has an empty list. */
export const noneThere =
  <T>(nothing: T) =>
  (error: { status?: number }): T => {
    if (error.status === 404) return nothing
    throw error
  }
