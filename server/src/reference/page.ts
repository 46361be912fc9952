/**
 * The reference page, rendered once from the OpenAPI document. It is complete without a script; the script only filters and
 * copies. It contains the samples in all formats, and three radio buttons choose which of them the stylesheet displays.
 */
import { methods, type OpenApi, type Operation, type Parameter, type Reference, type Reply } from '@kontor/contract'
import { html, type Html } from '../core/http/html.ts'
import { inline, joined, markdown } from './markdown.ts'
import { codeBlock, samples } from './samples.ts'
import { schemaTree, typeList } from './schema-tree.ts'

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}
interface Resource {
  readonly name: string
  readonly doc?: string | undefined
  readonly operations: Listed[]
}

/** The installation that the page is for, which the sample calls need. */
export interface Installation {
  readonly baseUrl: string
  readonly realm: string
  readonly clientId: string
  /** An external OpenID provider. */
  readonly oidcIssuer?: string | undefined
}

/** `files` is the path of the stylesheet and the script, relative to the page. */
export function referencePage(document: OpenApi, files: string, installation: Installation): string {
  const areas = document.tags.map(({ name, description }) => ({
    name,
    description,
    resources: resourcesOf(document, name),
  }))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Interface · Kontor</title>
        <link rel="stylesheet" href="${files}/page.css" />
        <script type="module" src="${files}/page.js"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="brand" href="#content">${mark} Kontor <small>${document.info.version}</small></a>
          <input type="search" id="filter" placeholder="Filter  /" aria-label="Filter operations and types" hidden />
          <fieldset>
            <legend>Samples in</legend>
            ${joined(['JSON', 'XML', 'Compact'].map(formatChoice))}
          </fieldset>
        </header>
        <nav aria-label="Operations">
          ${joined(areas.map(areaLinks))}
          <a href="#types">Types</a>
        </nav>
        <main id="content">
          <h1>Interface</h1>
          ${introduction(document, installation)} ${joined(areas.map((area) => areaSection(document, area)))}
          <section aria-labelledby="types">
            <h2 id="types">Types</h2>
            ${typeList(document.components.schemas)}
          </section>
          <p id="nothing" role="status" hidden>Nothing matches the filter.</p>
        </main>
      </body>
    </html>`.html
}

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <path d="M6 5h6v9l9-9h8L17 16l12 11h-8l-9-8.5V27H6z" />
</svg>`

const formatChoice = (label: string, index: number): Html => {
  const id = label.toLowerCase()
  return html`<label><input type="radio" name="format" id="as-${id}" ${index === 0 ? 'checked' : ''} />${label}</label>`
}

function resourcesOf({ paths }: OpenApi, tag: string): Resource[] {
  const found = new Map<string, Resource>()
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (!operation?.tags.includes(tag)) continue
      const resource: Resource = found.get(item.summary) ?? {
        name: item.summary,
        doc: item.description,
        operations: [],
      }
      resource.operations.push({ method, path, operation })
      found.set(item.summary, resource)
    }
  }
  return [...found.values()]
}

type Area = { readonly name: string; readonly description: string; readonly resources: readonly Resource[] }

const areaLinks = ({ name, resources }: Area) =>
  html`<details open>
    <summary>${name}</summary>
    <ul>
      ${joined(resources.map((resource) => resourceLinks(name, resource)))}
    </ul>
  </details>`

const resourceLinks = (area: string, { name, operations }: Resource) => {
  const links = operations.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodTag(method)} ${lastPart(name, path)}</a></li>`,
  )
  return html`<li>
    <a href="#${area}-${name}">${name}</a>
    <ul>
      ${joined(links)}
    </ul>
  </li>`
}
/** /api/core/v1/common/keywords/bulk/{id} of keywords -> bulk/{id} */
const lastPart = (resource: string, path: string) =>
  path.slice(path.lastIndexOf(`/${resource}`) + resource.length + 2) || resource

const methodTag = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`

function introduction({ info }: OpenApi, { baseUrl, realm, clientId, oidcIssuer }: Installation): Html {
  const byPassword = [
    `TOKEN=$(curl "$KONTOR/auth/realms/${realm}/protocol/openid-connect/token" \\`,
    `  -d grant_type=password -d scope=openid -d client_id=${clientId} \\`,
    `  -d username=admin --data-urlencode "password=$PASSWORD" \\`,
    `  | grep -o '"access_token":"[^"]*' | cut -d '"' -f 4)`,
  ]
  const external = [`# an access token of ${oidcIssuer}`, 'TOKEN=…']
  const token = [`KONTOR=${baseUrl}`, ...(oidcIssuer === undefined ? byPassword : external)]
  const links = html`<a href="openapi.json">OpenAPI document</a> · <a href="core/v1/schema/pim.xsd">XML Schema</a>`
  return html`<div class="columns">
    <div>
      ${markdown(info.description)}
      <p>${links}</p>
    </div>
    <div>${codeBlock('Before the first call', token.join('\n'))}</div>
  </div>`
}

const areaSection = (document: OpenApi, { name, description, resources }: Area) =>
  html`<section aria-labelledby="${name}">
    <h2 id="${name}">${name}</h2>
    <p>${inline(description)}</p>
    ${joined(resources.map((resource) => resourceSection(document, name, resource)))}
  </section>`

const resourceSection = (document: OpenApi, area: string, { name, doc, operations }: Resource) =>
  html`<section class="resource" aria-labelledby="${area}-${name}">
    <h3 id="${area}-${name}">${name}</h3>
    ${markdown(doc)}${joined(operations.map((operation) => operationArticle(document, operation)))}
  </section>`

function operationArticle(document: OpenApi, { method, path, operation }: Listed): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const resolve = <T extends object>(part: T | Reference): T =>
    '$ref' in part ? (lookUp(document, part.$ref) as T) : part
  const { schemas } = document.components
  const statuses = Object.entries(responses).map(([status, reply]) => [status, resolve(reply)] as const)
  const [, success] = statuses[0]!
  const text = `${method} ${path} ${summary} ${operationId}`.toLowerCase()
  return html`<article id="${operationId}" data-text="${text}" aria-labelledby="${operationId}-name">
    <h4 id="${operationId}-name">${methodTag(method)} <code>${path}</code>${own(operation)}</h4>
    <div class="columns">
      <div>
        <p class="summary">${inline(summary)}</p>
        ${markdown(description)} ${parameterList(parameters.map((one) => resolve<Parameter>(one)))}
        ${requestBody && bodySection(requestBody.required ? 'Request' : 'Request, optional', requestBody.content, schemas)}
        ${bodySection('Reply', success.content ?? {}, schemas, success.description)} ${statusList(statuses)}
      </div>
      <div>${samples(method, path, operation)}</div>
    </div>
  </article>`
}

const own = ({ 'x-kontor': isOwn }: { 'x-kontor'?: boolean }) =>
  isOwn ? html` <em class="own">Kontor</em>` : undefined

const lookUp = (document: OpenApi, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document)

function parameterList(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined
  const row = (parameter: Parameter) =>
    html`<li>
      <b>${parameter.name}</b> <i>${parameter.in}</i>${own(parameter)} <span>${inline(parameter.description)}</span>
    </li>`
  return html`<h5>Parameters</h5>
    <ul class="tree">
      ${joined(parameters.map(row))}
    </ul>`
}

function bodySection(
  title: string,
  content: NonNullable<Reply['content']>,
  schemas: OpenApi['components']['schemas'],
  doc?: string,
): Html {
  const [media] = Object.values(content)
  return html`<h5>${title}</h5>
    ${doc === undefined ? undefined : markdown(doc)}${media && schemaTree(schemas, media.schema)}`
}

function statusList(statuses: readonly (readonly [string, Reply])[]): Html {
  const codes = statuses.map(([status]) => html`<span class="s${status[0]}">${status}</span> `)
  const rows = statuses.map(
    ([status, { description }]) =>
      html`<tr>
        <th scope="row">${status}</th>
        <td>${inline(description)}</td>
      </tr>`,
  )
  return html`<details class="statuses">
    <summary>Statuses ${joined(codes)}</summary>
    <table>
      ${joined(rows)}
    </table>
  </details>`
}
