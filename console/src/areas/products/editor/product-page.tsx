/**
 * The product editor: structure on the left, and tabs for attributes, variations, links and history of the selected
 * item.
 */
import { ActionIcon, Anchor, Box, Button, Group, Menu, Tabs } from '@mantine/core'
import { IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import { Link, useBlocker } from '@tanstack/react-router'
import { useMay } from '../../../object/client.tsx'
import { useContentLocale } from '../../../object/locales.ts'
import { namesOfPath, toNodeTree, useClassificationTree } from '../../../object/model.ts'
import { Thumbnail, usePictures } from '../../../object/pictures.tsx'
import type { Attribute } from '../../../object/values/attribute.ts'
import { useTexts } from '../../../ui/language.tsx'
import { Page, Panes } from '../../../ui/page.tsx'
import { usePathParam, useUrlState } from '../../../ui/url-state.ts'
import { Failure, Loading } from '../../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../../ui/notifications.tsx'
import { commonTexts } from '../../../ui/common-texts.ts'
import { AttributesTab } from './attributes-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { ItemTree } from './item-tree.tsx'
import { assetsOf, LinksTab } from './links-tab.tsx'
import { MatrixTab } from './matrix-tab.tsx'
import { allOf, itemKey, type ProductMessage } from './product.ts'
import { texts } from './texts.ts'
import { useNodeAttributes, useProduct, useProductDraft } from './use-product.ts'
import { useWholeActions } from './product-actions.tsx'
import classes from './editor.module.css'

export function ProductPage() {
  const tid = usePathParam('tid') ?? ''
  const product = useProduct(tid)
  const attributes = useNodeAttributes(product.data?.node)
  if (product.error) return <Failure error={product.error} onRetry={() => void product.refetch()} />
  if (!product.data || !attributes) return <Loading />
  return <Editor key={tid} product={product.data} attributes={attributes} />
}

const tabs = ['attributes', 'matrix', 'links', 'history'] as const

function Editor({ product, attributes }: { product: ProductMessage; attributes: ReadonlyMap<string, Attribute> }) {
  const t = useTexts(texts)
  const may = useMay()
  const [{ item, tab = 'attributes' }, change] = useUrlState()
  const draft = useProductDraft(product, (key) => attributes.get(key))
  const { root } = draft
  const items = allOf(root)
  const chosen = items.find((one) => itemKey(one) === item) ?? root
  useBlocker({
    shouldBlockFn: ({ current, next }) => draft.isChanged && current.pathname !== next.pathname && !confirm(t('leave')),
    enableBeforeUnload: () => draft.isChanged,
  })
  return (
    <Page
      title={root.name}
      subtitle={<Where node={product.node ?? ''} />}
      before={<Picture product={product} />}
      fill
      actions={may('update', 'product') && <Actions draft={draft} root={product} />}
    >
      <Panes
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
  const [tid] = assetsOf(product)
  const pictures = usePictures([tid ? [tid] : []])
  return <Thumbnail picture={tid ? pictures.get(tid) : undefined} size={48} />
}

function Actions({ draft, root }: { draft: ReturnType<typeof useProductDraft>; root: ProductMessage }) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const { copy, remove } = useWholeActions(root)
  const save = () =>
    draft.save().then(
      () => notifyDone(t('saved', { name: root.name ?? '' })),
      (error: unknown) => notifyFailed(word('failed'), error),
    )
  return (
    <Group gap="xs" wrap="nowrap">
      {draft.isChanged && (
        <Button variant="default" onClick={draft.reset}>
          {t('discard')}
        </Button>
      )}
      <Button disabled={!draft.isChanged} onClick={() => void save()}>
        {draft.isChanged ? t('save', { count: draft.count }) : word('save')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={word('actions')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={copy}>
            {t('copy')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Box />
    </Group>
  )
}
