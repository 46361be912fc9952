/** Some lists answer "not found" when they are empty: `.catch(emptyWhenNotFound([]))` turns that into an empty list. */
export const emptyWhenNotFound =
  <T>(empty: T) =>
  (error: { status?: number }): T => {
    if (error.status === 404) return empty
    throw error
  }
