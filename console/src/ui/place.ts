/** Former names of url-state.ts. */
export { type UrlState as PlaceFields, usePathParam as usePathPart, useUrlState as usePlace } from './url-state.ts'
