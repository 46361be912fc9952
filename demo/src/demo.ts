/**
 * The demo: a company with a catalogue, pictures, channels and people, so that a new system has something to show.
 *
 * All data is written through the public interface and its rules. All objects have fixed tids, so installing twice has
 * the same effect as installing once, and a second run completes an interrupted one. The demo counts as installed when
 * its author, the user who writes the model, has been disabled again. That is the last step.
 */
import { randomBytes } from 'node:crypto'
import { addChannels, removeChannels } from './channels.ts'
import { type ApiClient, type Host, openApi } from './api.ts'
import { addMedia, home, linkMedia } from './media.ts'
import { attrDefs, attrGroups, classes, classificationTids, nodeAttributes, range } from './model.ts'
import { addPeople, author, ensureAuthor, removePeople } from './people.ts'
import { inBatches, number } from './batches.ts'
import { relateProducts } from './relations.ts'
import { productOf } from './products.ts'
import { reviseTexts } from './texts.ts'
import { addSharing, removeSharing } from './sharing.ts'
import { addRules, addSearches, removeRules, removeSearches, startWorkflows, stopWorkflows } from './work.ts'
import { forbiddenWords, keywords, localized, terms, type Texts } from './words.ts'

const pim = '/api/core/v1/pim'
const common = '/api/core/v1/common'
export const defaultScale = 2000
export const maxScale = 1_000_000

interface DemoOptions {
  /** The number of products. */
  readonly scale: number
  report(line: string): void
  /** Called often while the products are created. */
  progress?(line: string): void
}

export async function isInstalled({ users }: Host): Promise<boolean> {
  const found = await users.find({ name: author })
  return found !== undefined && !found.enabled
}

/** Returns the password, which is the same for all demo users. */
export async function installDemo(host: Host, options: DemoOptions): Promise<string> {
  const { users } = host
  const { scale, report } = options
  const password = randomBytes(12).toString('base64url')
  await ensureAuthor(users)
  const api = openApi(host, author)
  const [editor, photographer, marketing] = ['greta', 'paul', 'chiara'].map((name) => openApi(host, name))
  report('demo: data model')
  await addModel(api)
  await addPeople(api, users, password)
  await addTerms(editor!)
  report(`demo: ${number(scale)} products, and pictures of them`)
  await Promise.all([addProducts(editor!, options), addMedia(photographer!, scale)])
  report('demo: links and channels')
  await linkMedia(photographer!, scale)
  await relateProducts(api, scale)
  await reviseTexts(editor!, scale)
  await addChannels(api, scale)
  await sendMessages(marketing!)
  await addSearches(editor!)
  await addRules(editor!)
  await addSharing(openApi(host, 'ingrid'))
  await startWorkflows(editor!)
  await users.setEnabled((await users.find({ name: author }))!.id, false)
  return password
}

async function addModel(api: ApiClient): Promise<void> {
  // a table refers to its columns, so they must exist before it
  const columnsFirst = attrDefs.toSorted((a, b) => Number(a.type === 'table') - Number(b.type === 'table'))
  await api.persist(`${pim}/attribute-definitions`, 'attrDefs', 'attrDef', columnsFirst)
  await api.persist(`${pim}/attribute-groups`, 'attrGroups', 'attrGroup', attrGroups)
  await api.persist(`${pim}/classes`, 'classes', 'clazz', classes)
  await api.persist(`${pim}/attributes`, 'attrs', 'attr', nodeAttributes)
  const nodePath = `/${range}/Clothing/Jackets`
  await api.call(`${pim}/variation-axes/persist`, { nodePath, articles: ['COLOUR'], variations: ['SIZE'] })
}

const addProducts = (api: ApiClient, { scale, report, progress }: DemoOptions) =>
  inBatches(scale, productOf, {
    work: (products) => api.persist(`${pim}/products`, 'products', 'product', products),
    report: (count) => report(`demo: ${count} of ${number(scale)} products created`),
    progress: (done) => progress?.(`${number(done)} of ${number(scale)} products`),
  })

const keywordOf = (name: Texts, parentPath?: string) => ({
  name: { itm: [{ value: name[0] }, ...localized(name)] },
  ...(parentPath !== undefined && { parentPath }),
})

/** The terms of the glossary are in German, with translations. */
async function addTerms(api: ApiClient): Promise<void> {
  const known = await api.call<{ kwds?: { kwd?: { path: string }[] } }>(`${common}/keywords/retrieve`, { path: '/', level: -1 }) // prettier-ignore
  const paths = new Set(known.kwds?.kwd?.map(({ path }) => path))
  const tree = keywords.flatMap(({ name, below }) => [
    { path: `/${name[0]}`, kwd: keywordOf(name) },
    ...below.map((one) => ({ path: `/${name[0]}/${one[0]}`, kwd: keywordOf(one, `/${name[0]}`) })),
  ])
  const missing = tree.filter(({ path }) => !paths.has(path)).map(({ kwd }) => kwd)
  await api.persist(`${common}/keywords`, 'kwds', 'kwd', missing)
  await api.persist(`${common}/glossaries`, 'glossaries', 'glossary', [
    { tid: 'FJ-TERMS', name: 'Terms of the house' },
    { tid: 'FJ-STYLE', name: 'Style guide', meta: { itm: [{ key: 'enforcement', value: 'warn' }] } },
  ])
  const entries = terms.map(([en, de, fr], i) => ({
    tid: `FJ-TERM-${i + 1}`,
    parentTid: 'FJ-TERMS',
    type: 'term',
    loc: 'de_DE',
    meta: { itm: [{ key: 'value', value: de, loc: 'de_DE' }] },
    links: {
      itms: [
        { loc: 'en_GB', itm: [{ key: 'value', value: en }] },
        { loc: 'fr_FR', itm: [{ key: 'value', value: fr }] },
      ],
    },
  }))
  const forbidden = forbiddenWords.map(({ loc, word, instead }, i) => ({
    tid: `FJ-STYLE-${i + 1}`,
    parentTid: 'FJ-STYLE',
    type: 'term',
    loc,
    meta: {
      itm: [
        { key: 'value', value: word, loc },
        { key: 'forbidden', value: 'true' },
        { key: 'useInstead', value: instead },
      ],
    },
  }))
  await api.persist(`${common}/glossaryEntries`, 'glossaryEntries', 'glossaryEntry', [...entries, ...forbidden])
}

async function sendMessages(api: ApiClient): Promise<void> {
  const message = (tid: string, recipientUser: string, subject: string, body: string) => ({
    tid,
    recipientUser,
    subject,
    body,
    severity: 'INFO',
  })
  // prettier-ignore
  const messages = [
    message('FJ-HELLO-1', 'greta', 'Catalogue 2027: texts for Boats', 'Please finish the French texts of the chapter Boats by Friday.'),
    message('FJ-HELLO-2', 'paul', 'Pictures for the season sale', 'Seven products of the season sale have no mood picture yet.'),
    message('FJ-HELLO-3', 'amelie', 'New terms in the glossary', 'Twenty terms of the house are in; check the French ones.'),
  ]
  await api.call(`${common}/messages/persist`, { messages })
}

const force = { meta: { itm: [{ key: 'force', value: 'true' }] } }
const removal = (dataType: string, tid: string) => ({ dataType, type: 'delete', tid, ...force })

async function removeProducts(api: ApiClient, clazz: string, report: (line: string) => void): Promise<void> {
  const { tids = [] } = await api
    .call<{ tids?: string[] }>(`${pim}/products/query`, { nodePaths: [`/${clazz}`] })
    .catch(() => ({ tids: [] })) // no such node
  await inBatches(tids.length, (i) => removal('product', tids[i]!), {
    work: (actions) => api.perform(`${pim}/products`, actions),
    report: (count) => report(`demo: ${count} of ${number(tids.length)} products of ${clazz} removed`),
  })
}

/** Removes everything that was installed. Files stay in the trash until it is emptied, users stay as disabled ones. */
export async function removeDemo(host: Host, report: (line: string) => void): Promise<void> {
  const { users } = host
  await ensureAuthor(users)
  const api = openApi(host, author)
  const remove = (dataType: string, tids: readonly string[]) => tids.map((tid) => removal(dataType, tid))
  report('demo: removing channels, products and files')
  await stopWorkflows(api)
  if (await users.find({ name: 'greta' })) {
    await removeSearches(openApi(host, 'greta'))
    await removeRules(openApi(host, 'greta'))
    await removeSharing(openApi(host, 'ingrid'))
  }
  await removeChannels(api)
  for (const clazz of classificationTids) await removeProducts(api, clazz, report)
  await api.perform('/api/core/v1/dam/dirs', [{ dataType: 'dir', type: 'delete', path: home, ...force }])
  report('demo: removing the model, terms and people')
  await api.perform(`${pim}/classes`, remove('classification', classificationTids))
  await api.perform(`${pim}/attribute-groups`, remove('attrGroup', attrGroups.map(({ tid }) => tid))) // prettier-ignore
  const tables = attrDefs.toSorted((a, b) => Number(b.type === 'table') - Number(a.type === 'table'))
  await api.perform(
    `${pim}/attribute-definitions`,
    remove(
      'attrDefinition',
      tables.map(({ tid }) => tid),
    ),
  )
  await api.perform(`${common}/glossaries`, remove('glossary', ['FJ-TERMS', 'FJ-STYLE']))
  const roots = keywords.map(({ name }) => ({ dataType: 'keyword', type: 'delete', path: `/${name[0]}`, ...force }))
  await api.perform(`${common}/keywords`, roots)
  await removePeople(api, users)
  const { id } = (await users.find({ name: author }))!
  await users.setRoles(id, ['reader'])
}

export type { Host } from './api.ts'
