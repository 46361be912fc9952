/** Calls about mapping profiles: stored ones, and the one of an import. */
import type { transfer as contract } from '@kontor/contract'
import type { Db } from '../adapters/postgres/db.ts'
import { newName } from '../core/batch/names.ts'
import { cutByName, nameAt } from '../core/batch/paging.ts'
import type { Caller } from '../core/context.ts'
import type { RouteHandlers } from '../core/http/routes.ts'
import { Problem } from '../errors.ts'
import { describeMapping } from './guess/describe.ts'
import { guessProfile } from './guess/guess.ts'
import { type ProfileNeeds, readerOf, type TransferNeeds } from './needs.ts'
import type { Profile } from './options.ts'
import { demandProfile } from './profiles.ts'
import { find, showWhole } from './show.ts'
import * as profiles from './profiles.sql.ts'
import * as rows from './transfers.sql.ts'
import { demandWhole, profileView } from './visible-profiles.ts'

type Routes = Pick<
  typeof contract.routes,
  | 'listProfiles'
  | 'getProfile'
  | 'putProfile'
  | 'deleteProfile'
  | 'listProfileVersions'
  | 'restoreProfile'
  | 'guessProfile'
  | 'tryProfile'
  | 'setProfile'
>

export const profileRoutes = (needs: TransferNeeds): RouteHandlers<Routes> => ({
  async listProfiles({ db, caller }, { query: { after, count = 500 }, continues }) {
    const view = await profileView(needs, caller)
    const page = { count: Number(count), continues }
    const found = cutByName(page, await profiles.listProfiles(db, nameAt(after), page.count))
    return { profiles: found.map(({ name, profile }) => ({ ...view(profile), name })) }
  },
  getProfile: async ({ db, caller }, { params }) => ({
    ...(await profileOf(needs, db, caller, params.name!)),
    name: params.name!,
  }),
  async putProfile({ db, caller }, { params, body }) {
    const name = newName('name', params.name!)
    demandProfile(body)
    const former = await profiles.findProfile(db, name)
    demandWhole(await profileView(needs, caller), former?.profile)
    await profiles.upsertProfile(db, name, { ...body, name }, caller.userName)
    return { ...body, name }
  },
  async deleteProfile({ db, caller }, { params }) {
    const former = await profiles.findProfile(db, params.name!)
    demandWhole(await profileView(needs, caller), former?.profile)
    if ((await profiles.deleteProfile(db, params.name!)) === 0) throw noProfile(params.name!)
  },
  async listProfileVersions({ db, caller }, { params }) {
    const found = await versionsOf(db, params.name!)
    const view = await profileView(needs, caller)
    return {
      versions: found.map(({ modifiedAt, profile, ...one }) => ({
        ...one,
        modifiedAt: modifiedAt.toISOString(),
        profile: view(profile),
      })),
    }
  },
  async restoreProfile({ db, caller }, { params }) {
    const { name = '', version = '' } = params
    const versions = await versionsOf(db, name)
    const found = versions.find((one) => String(one.version) === version)
    if (!found)
      throw new Problem('notFound', `the profile ${name.slice(0, 100)} has no version ${version.slice(0, 20)}`)
    const { profile } = found
    const view = await profileView(needs, caller)
    for (const one of [versions[0]!.profile, profile]) demandWhole(view, one)
    // Rules may have been added since.
    demandProfile(profile)
    await profiles.upsertProfile(db, name, profile, caller.userName)
    return profile
  },
  async guessProfile({ db, caller }, { params }) {
    const row = await find(db, caller, params.id!, 'import')
    const { profile, columns, sheets } = await guessProfile(needs, readerOf(needs, caller), row)
    return {
      ...(await describeMapping(needs, caller, row, profile, columns)),
      ...(sheets && { sheets: [...sheets] }),
    }
  },
  async tryProfile({ db, caller }, { params, body }) {
    const row = await find(db, caller, params.id!, 'import')
    demandProfile(body)
    return describeMapping(needs, caller, row, body)
  },
  setProfile: setProfile(needs),
})

const setProfile =
  ({ database }: TransferNeeds): RouteHandlers<Routes>['setProfile'] =>
  ({ caller }, { params, query: { createModel }, body }) =>
    database.transaction(async (db) => {
      demandProfile(body)
      const { id } = await find(db, caller, params.id!, 'import')
      const { state, options, processed, dry } = (await rows.lockTransfer(db, id))!
      const isNew = state === 'received' || state === 'validated' || (state === 'failed' && (dry || processed === 0))
      if (!isNew) throw new Problem('inUse', `the import is ${state}; its profile can only be changed before it starts`)
      const isDetected = body.encoding === undefined && options.profile?.encoding === undefined
      const { encoding, layout, createModel: former = false, ...others } = options
      const creates = createModel === undefined ? former : createModel === 'true'
      await rows.setOptions(db, id, {
        ...others,
        profile: body,
        ...(isDetected && encoding && { encoding }),
        // found again when the file is opened, if it is a document
        ...(layout && !body.columns && { layout }),
        ...(creates && { createModel: true }),
      })
      return showWhole((await rows.findTransfer(db, id))!)
    })

const noProfile = (name: string) => new Problem('notFound', `no profile has the name ${name.slice(0, 100)}`)

async function versionsOf(db: Db, name: string): Promise<readonly profiles.ProfileVersion[]> {
  const found = await profiles.listVersions(db, name)
  if (found.length === 0) throw noProfile(name)
  return found
}

/** The parts of a stored profile that the caller may see. */
export async function profileOf(
  needs: ProfileNeeds,
  db: Db,
  caller: Caller,
  name: string | undefined,
): Promise<Profile | undefined> {
  if (name === undefined) return undefined
  const found = await profiles.findProfile(db, name)
  if (!found) throw noProfile(name)
  return (await profileView(needs, caller))(found.profile)
}

/** Throws a Problem if no profile has this name. */
export async function demandStoredProfile(db: Db, name: string | undefined): Promise<void> {
  if (name !== undefined && !(await profiles.findProfile(db, name))) throw noProfile(name)
}
