/**
 * The product editor: structure on the left, and tabs for attributes, variations, links and history of the selected
 * item.
 */
import { Alert, Anchor, Button, Group, Tabs } from '@mantine/core'
import { IconBox } from '@tabler/icons-react'
import { KontorError } from '@kontor/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayAt } from '../../../object/client.tsx'
import { useContentLocale } from '../../../object/locales.ts'
import { namesOfPath, toNodeTree, useClassificationTree } from '../../../object/model.ts'
import { Thumbnail, usePictures } from '../../../object/pictures.tsx'
import type { Prefetch } from '../../../object/prefetch.ts'
import { Presence } from '../../../object/presence.tsx'
import { Collisions } from '../../../object/values/collisions.tsx'
import type { Attribute } from '../../../object/values/attribute.ts'
import type { Collision } from '../../../object/values/edits.ts'
import { useVisited } from '../../../object/recent.ts'
import { useFormat } from '../../../ui/format.ts'
import { useTexts } from '../../../ui/language.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { Page, Panes } from '../../../ui/page.tsx'
import { usePathParam, useUrlState } from '../../../ui/url-state.ts'
import { Empty, Failure, Loading } from '../../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { AttributesTab } from './attributes-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { ItemTree } from './item-tree.tsx'
import { LinksTab } from './links-tab.tsx'
import { MatrixTab } from './matrix-tab.tsx'
import { allOf, itemKey, type ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { type ProductDraft, productQuery, useNodeAttributes, useProduct, useProductDraft } from './use-product.ts'
import { ActionsMenu } from './actions-menu.tsx'
import { Face } from './face/face.tsx'
import { picturesOf } from './pictures.ts'
import classes from './editor.module.css'

export const prefetch: Prefetch = ({ client, queries }, { tid = '' }) =>
  void queries.prefetchQuery(productQuery(client, tid))

export function ProductPage() {
  const tid = usePathParam('tid') ?? ''
  const product = useProduct(tid)
  const attributes = useNodeAttributes(product.data?.node)
  if (isNotFound(product.error)) return <NoProduct />
  if (product.error) return <Failure error={product.error} onRetry={() => void product.refetch()} />
  if (!product.data || !attributes) return <Loading shape="page" />
  return <Editor key={tid} product={product.data} attributes={attributes} />
}

const isNotFound = (error: unknown) => error instanceof KontorError && error.status === 404

function NoProduct() {
  const t = useTexts(texts)
  return (
    <Page title={t('notFound')}>
      <Empty
        icon={IconBox}
        title={t('notFound')}
        action={<Button renderRoot={(props) => <Link to="/products" {...props} />}>{t('allProducts')}</Button>}
      >
        {t('notFoundHint')}
      </Empty>
    </Page>
  )
}

const tabs = ['attributes', 'matrix', 'links', 'history'] as const

function Editor({ product, attributes }: { product: ProductMessage; attributes: ReadonlyMap<string, Attribute> }) {
  const t = useTexts(texts)
  const [{ item, tab = 'attributes' }, change] = useUrlState()
  const draft = useProductDraft(product, (key) => attributes.get(key))
  const { save, settle, collisions, postpone } = useSaving(draft)
  const { root } = draft
  useVisited('product', root.tid, root.name)
  const items = allOf(root)
  const chosen = items.find((one) => itemKey(one) === item) ?? root
  return (
    <Page
      title={root.name}
      subtitle={<Where node={product.node ?? ''} />}
      before={<Picture product={product} />}
      fill
      actions={<Actions draft={draft} product={product} attributes={attributes} onSave={save} />}
    >
      <LeaveDialog isChanged={draft.isChanged} onDiscard={draft.reset} />
      {collisions.length > 0 && (
        <Collisions
          collisions={collisions}
          attributes={attributes}
          itemName={(item) =>
            item === itemKey(root) ? undefined : (allOf(root).find((one) => itemKey(one) === item)?.name ?? '')
          }
          onSettle={settle}
          onClose={postpone}
        />
      )}
      <FoundDraft draft={draft} />
      <Panes
        endLabel={t('overview')}
        end={<Face product={product} />}
        sideLabel={t('structure')}
        side={
          <ItemTree
            root={root}
            chosen={chosen}
            draft={draft.draft}
            onChoose={(one) => change({ item: itemKey(one) })}
          />
        }
      >
        <Tabs
          value={tab}
          onChange={(value) => change({ tab: value ?? undefined }, true)}
          keepMounted={false}
          className={classes.tabs}
        >
          <Tabs.List px="sm">
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(name)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="attributes">
            <AttributesTab key={itemKey(chosen)} item={chosen} draft={draft} attributes={attributes} />
          </Tabs.Panel>
          <Tabs.Panel value="matrix">
            <MatrixTab root={root} draft={draft} attributes={attributes} />
          </Tabs.Panel>
          <Tabs.Panel value="links">
            <LinksTab item={chosen} product={product} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <HistoryTab root={root} draft={draft} attributes={attributes} />
          </Tabs.Panel>
        </Tabs>
      </Panes>
    </Page>
  )
}

/** Breadcrumbs of the product's categories, as links into the product list. */
function Where({ node }: { node: string }) {
  const t = useTexts(texts)
  const [locale] = useContentLocale()
  const { data: nodes = [] } = useClassificationTree()
  const parts = node.split('/').slice(1)
  const names = namesOfPath(
    toNodeTree(nodes, locale, () => ''),
    node,
    locale,
  )
  return (
    <nav aria-label={t('allProducts')}>
      <Anchor renderRoot={(props) => <Link to="/products" {...props} />}>{t('allProducts')}</Anchor>
      {names.map((name, i) => {
        const path = `/${parts.slice(0, i + 1).join('/')}`
        return (
          <span key={path}>
            {' › '}
            <Anchor renderRoot={(props) => <Link to="/products" search={{ node: path }} {...props} />}>{name}</Anchor>
          </span>
        )
      })}
    </nav>
  )
}

function Picture({ product }: { product: ProductMessage }) {
  const tid = picturesOf(product)[0]?.tid
  const pictures = usePictures([tid ? [tid] : []])
  return <Thumbnail picture={tid ? pictures.get(tid) : undefined} size={48} />
}

/** Saves the draft, and keeps the collisions that somebody must decide first. */
function useSaving(draft: ProductDraft) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const [collisions, setCollisions] = useState<readonly Collision[]>([])
  const finish = async (saving: () => Promise<readonly Collision[]>) => {
    if (!navigator.onLine) return notifyFailed(word('offline'), new Error(word('offlineSave')))
    try {
      const found = await saving()
      setCollisions(found)
      if (found.length === 0) notifyDone(t('saved', { name: draft.root.name }))
    } catch (error) {
      notifyFailed(word('failed'), error)
    }
  }
  return {
    collisions,
    save: () => finish(draft.save),
    settle: (mine: ReadonlySet<Collision>) => finish(() => draft.settle(collisions, mine)),
    postpone: () => setCollisions([]),
  }
}

/** Tells that the changes on the page come from an earlier visit. */
function FoundDraft({ draft }: { draft: ProductDraft }) {
  const t = useTexts(texts)
  const format = useFormat()
  if (!draft.foundFrom || !draft.isChanged) return null
  return (
    <Alert variant="light" color="amber" role="status" p="xs" m="xs">
      <Group justify="space-between">
        {t('foundDraft', { time: format.dateTime(draft.foundFrom) })}
        <Button size="compact-sm" variant="default" onClick={draft.reset}>
          {t('discard')}
        </Button>
      </Group>
    </Alert>
  )
}

interface ActionsProps {
  readonly draft: ProductDraft
  readonly product: ProductMessage
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly onSave: () => unknown
}

function Actions({ draft, product, attributes, onSave }: ActionsProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const may = useMayAt('product', 'node', product.node ?? '')
  return (
    <Group gap="xs" wrap="nowrap">
      <Presence dataType="product" tid={draft.root.tid} editing={draft.isChanged} />
      {draft.isChanged && (
        <Button variant="default" onClick={draft.reset}>
          {t('discard')}
        </Button>
      )}
      {may('update') && (
        <Button disabled={!draft.isChanged} onClick={onSave}>
          {draft.isChanged ? t('save', { count: draft.count }) : word('save')}
        </Button>
      )}
      <ActionsMenu product={product} root={draft.root} attributes={attributes} />
    </Group>
  )
}
