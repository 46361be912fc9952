/** All operations of the API, read from the OpenAPI document that the contract generates. */
import { areas, methods, openapi } from '@kontor/contract'

export interface ListedOperation {
  /** Also the anchor on the reference page. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly area: string
  readonly doc: string
}

export function listOperations(): ListedOperation[] {
  const { paths } = openapi(areas, { version: '', serverUrl: '', realm: '' })
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const { operationId: id, tags, summary: doc } = operation
      return [{ id, method: method.toUpperCase(), path, area: tags[0] ?? '', doc }]
    }),
  )
}
