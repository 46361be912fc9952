/** Collections of assets, and pages for people without an account: share pages and upload requests. A Kontor extension. */
import { children, expects, leaf, leaves, required, safe, type } from './describe.ts'
import { renditionMetadata } from './renditions.ts'

export const maxCollection = 10_000
export const maxShared = 1000

export const Collection = type('collection', 'Assets under a name, chosen by hand or by a stored search.', {
  id: safe(leaf('long', 'In replies.')),
  name: required(leaf('string', '1 to 255 characters.')),
  description: leaf('string'),
  storedSearch: safe(
    leaf(
      'long',
      'The id of one of your stored searches in the index ASSET, which is copied. Every reader finds what they may read. Default: assets are added by hand.',
    ),
  ),
  users: leaves('string', 'Users who may see the collection. Default: none.'),
  roles: leaves('string', 'Roles whose users may see the collection. Default: none.'),
  owner: leaf('string', 'In replies.'),
  isSearch: leaf('boolean', 'In replies: whether a search chooses the assets.'),
  isOwn: leaf('boolean', 'In replies: whether you may change it.'),
  count: leaf(
    'integer',
    'In replies: how many of its assets you may read. Lists leave it out for collections by search.',
  ),
  modifiedAt: leaf('date', 'In replies.'),
  modifiedBy: leaf('string', 'In replies.'),
})
export const CollectionList = type('collectionList', 'Collections by name.', {
  collections: children(() => Collection),
})

export const CollectionChange = type(
  'collectionChange',
  'Changes which assets a collection has, and their order. Removes first, then adds, then moves.',
  {
    remove: expects(leaves('string', 'The tids of assets.'), 0, maxCollection),
    add: expects(leaves('string', 'The tids of assets. They are added at the end.'), 0, maxCollection),
    move: expects(leaves('string', 'The tids of assets of the collection, in their new order.'), 0, maxCollection),
    before: leaf('string', 'Where `move` puts them: before this asset, by its tid. Default: at the end.'),
  },
)
export const CollectionAsset = type('collectionAsset', 'An asset of a collection.', {
  id: safe(leaf('long')),
  tid: leaf('string'),
  path: leaf('string'),
})
export const CollectionAssets = type('collectionAssets', 'The assets of a collection that you may read, in order.', {
  assets: children(() => CollectionAsset),
})

const shareKinds = ['download', 'upload'] as const
const shareStates = ['active', 'expired', 'revoked'] as const

export const Share = type(
  'share',
  'A page for everybody who has its address: to download assets, or to deliver files. It has the present rights of its owner.',
  {
    id: safe(leaf('long', 'In replies.')),
    kind: required(leaf(shareKinds, 'download: a share page. upload: an upload request.')),
    title: required(leaf('string', 'Shown on the page. 1 to 200 characters.')),
    message: leaf('string', 'Shown on the page. At most 5000 characters.'),
    expiresAt: required(leaf('date', 'Within 366 days.')),
    password: leaf(
      'string',
      'In requests: visitors must enter it. 8 to 128 characters; empty removes it. Default: unchanged.',
    ),
    collection: safe(leaf('long', 'download: the id of a collection.')),
    tids: leaves('string', 'download: the tids of assets, instead of a collection. At most 1000.'),
    original: leaf('boolean', 'download: whether files can be downloaded as they are. Default false.'),
    metadata: leaf(
      renditionMetadata,
      'download: embed writes the values that the owner may read into original files, as far as their type can carry them.',
    ),
    profiles: leaves('string', 'download: the rendition profiles in which pictures can be downloaded.'),
    watermark: leaf(
      'string',
      'download: the rendition profile of the pictures that the page shows, such as one with a watermark.',
    ),
    folder: leaf('string', 'upload: the path of the folder into which accepted files go.'),
    maxFiles: leaf('integer', 'upload: how many files may be delivered, 1 to 1000. Default 100.'),
    maxMegabytes: leaf('integer', 'upload: the largest file, in megabytes. Default 100.'),
    extensions: leaves('string', 'upload: allowed ends of file names, such as jpg. Default: all.'),
    url: leaf('string', 'In the reply to its creation only: the address, of which only a digest is stored.'),
    hasPassword: leaf('boolean', 'In replies.'),
    state: leaf(shareStates, 'In replies.'),
    owner: leaf('string', 'In replies.'),
    waiting: leaf('integer', 'In replies: how many delivered files wait for a decision.'),
    createdAt: leaf('date', 'In replies.'),
  },
)
export const ShareList = type('shareList', 'Share pages and upload requests, newest first.', {
  shares: children(() => Share),
})

export const shareEvents = ['visit', 'download', 'zip', 'delivery', 'wrongPassword'] as const
export const ShareVisit = type('shareVisit', 'Something that a visitor of a page did.', {
  id: safe(leaf('long')),
  at: leaf('date'),
  event: leaf(shareEvents),
  what: leaf('string', 'The name of the file and its format.'),
  address: leaf('string', 'The network of the visitor: the end of the address is left out.'),
})
export const ShareLog = type('shareLog', 'Visits and downloads, newest first. Kept for 90 days.', {
  visits: children(() => ShareVisit),
})

export const ReceivedFile = type('receivedFile', 'A file that was delivered and waits for a decision.', {
  id: safe(leaf('long')),
  name: leaf('string'),
  size: safe(leaf('long', 'In bytes.')),
  mime: leaf('string', 'As its content says.'),
  receivedAt: leaf('date'),
})
export const ReceivedFileList = type('receivedFileList', 'Files that wait for a decision, oldest first.', {
  files: children(() => ReceivedFile),
})
export const ReceivedDecision = type('receivedDecision', 'Accepts and rejects delivered files.', {
  accept: expects(safe(leaves('long', 'They become assets in the folder of the request.')), 0, maxShared),
  reject: expects(safe(leaves('long', 'They are deleted.')), 0, maxShared),
})
const receivedOutcomes = ['accepted', 'rejected', 'refused'] as const
export const ReceivedOutcome = type('receivedOutcome', 'What became of a delivered file.', {
  id: safe(leaf('long')),
  outcome: leaf(receivedOutcomes),
  tid: leaf('string', 'The new asset.'),
  path: leaf('string', 'Where it is. A number was added to its name if the name was taken.'),
  problem: leaf('string', 'Why it was refused. The file still waits.'),
})
export const ReceivedOutcomes = type('receivedOutcomes', 'One outcome per file.', {
  outcomes: children(() => ReceivedOutcome),
})
export const SharePassword = type('sharePassword', 'The password of a page.', { password: required(leaf('string')) })
