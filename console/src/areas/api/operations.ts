/** All operations of the API, read from the OpenAPI document of the server. */
import { methods } from '@kontor/contract'

export interface ListedOperation {
  /** Also the anchor on the reference page. */
  readonly id: string
  readonly method: string
  readonly path: string
  readonly area: string
  readonly doc: string
}

type Operation = { readonly operationId: string; readonly tags: readonly string[]; readonly summary: string }
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>
}

export const openApiUrl = '/api/openapi.json'

export async function listOperations(): Promise<ListedOperation[]> {
  const { paths } = (await (await fetch(openApiUrl)).json()) as OpenApi
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const { operationId: id, tags, summary: doc } = operation
      return [{ id, method: method.toUpperCase(), path, area: tags[0] ?? '', doc }]
    }),
  )
}
