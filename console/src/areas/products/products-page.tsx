/**
 * The product list: classification tree on the left, grid on the right. Category, text, order and columns are in the
 * URL, so that a view can be linked to and saved.
 */
import { Button, Group, Text } from '@mantine/core'
import { IconBox, IconHistory, IconPlus, IconSitemap } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useClient, useMay } from '../../object/client.tsx'
import { useContentLocale } from '../../object/locales.ts'
import { toNodeTree, useAttributes, useClassificationTree } from '../../object/model.ts'
import { useFormat } from '../../ui/format.ts'
import { Grid } from '../../ui/grid/grid.tsx'
import { chosenCount, noSelection, type Selection } from '../../ui/grid/selection.ts'
import { usePages } from '../../ui/grid/use-pages.ts'
import { useTexts } from '../../ui/language.tsx'
import { Page, Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { useColumns } from './columns.tsx'
import { readFacets } from './facet-search.ts'
import { CreateProduct } from './create-product.tsx'
import { loadPage, type ProductFilter, productsKey } from './list.ts'
import { NodePane } from './node-pane.tsx'
import { texts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'

export function ProductsPage() {
  const t = useTexts(texts)
  const may = useMay()
  const tree = useClassificationTree()
  const [fields, change] = useUrlState()
  const noModel = tree.data?.length === 0
  return (
    <Page
      title={t('title')}
      fill
      actions={
        !noModel && (
          <>
            {may('update', 'product') && (
              <Button
                variant="default"
                leftSection={<IconHistory size={16} />}
                renderRoot={(props) => <Link to="/changes" {...props} />}
              >
                {t('pastChanges')}
              </Button>
            )}
            {may('create', 'product') && (
              <Button leftSection={<IconPlus size={16} />} onClick={() => change({ create: 'yes' })}>
                {t('create')}
              </Button>
            )}
          </>
        )
      }
    >
      {tree.error ? (
        <Failure error={tree.error} onRetry={() => void tree.refetch()} />
      ) : noModel ? (
        <NoModel />
      ) : (
        <Products />
      )}
      {fields.create && !noModel && <CreateProduct node={fields.node} onClose={() => change({ create: undefined })} />}
    </Page>
  )
}

function NoModel() {
  const t = useTexts(texts)
  return (
    <Empty
      icon={IconSitemap}
      title={t('noModel')}
      action={<Button renderRoot={(props) => <Link to="/model" {...props} />}>{t('toModel')}</Button>}
    >
      {t('noModelHint')}
    </Empty>
  )
}

function Products() {
  const t = useTexts(texts)
  const format = useFormat()
  const client = useClient()
  const navigate = useNavigate()
  const [fields, change] = useUrlState()
  const [locale] = useContentLocale()
  const { data: nodes } = useClassificationTree()
  const tree = useMemo(
    () => toNodeTree(nodes ?? [], locale, ({ productsBelow = 0 }) => format.number(productsBelow)),
    [nodes, locale, format],
  )
  const attributes = useAttributes()
  const [selection, setSelection] = useState<Selection>(noSelection)

  const visible = fields.columns?.split(',').filter((tid) => attributes.has(tid)) ?? []
  const [column = 'modified', direction = 'desc'] = (fields.sort ?? 'modified-desc').split('-')
  const filter: ProductFilter = {
    ...(fields.node && { nodePath: fields.node }),
    ...(fields.q && { text: fields.q }),
    sort: column as ProductFilter['sort'],
    descending: direction === 'desc',
    attributes: visible,
    facets: readFacets(fields.f),
  }
  const pages = usePages([...productsKey, { ...filter, facets: fields.f }], (offset, count) =>
    loadPage(client, filter, offset, count),
  )
  const columns = useColumns(pages.loaded, visible, attributes, tree)
  const chosen = chosenCount(selection, pages.total)
  const changeView = (changed: Record<string, string | undefined>) => {
    setSelection(noSelection)
    change(changed, true)
  }
  return (
    <Panes
      sideLabel={t('tree')}
      side={
        nodes ? <NodePane tree={tree} chosen={fields.node} onChoose={(node) => changeView({ node })} /> : <Loading />
      }
    >
      {chosen > 0 ? (
        <BulkBar filter={filter} selection={selection} total={pages.total} onSelect={setSelection} />
      ) : (
        <Toolbar fields={fields} changeView={changeView} attributes={attributes} filter={filter} />
      )}
      {pages.error !== undefined && <Failure error={pages.error} onRetry={pages.refetch} />}
      {pages.loading ? (
        <Loading />
      ) : pages.total === 0 ? (
        <Nothing text={fields.q} />
      ) : (
        <Grid
          label={t('title')}
          rows={pages.total}
          row={pages.row}
          keyOf={({ tid = '' }) => tid}
          columns={columns}
          sort={{ column, descending: filter.descending }}
          onSort={(sort) => changeView({ sort: `${sort.column}-${sort.descending ? 'desc' : 'asc'}` })}
          selection={selection}
          onSelect={setSelection}
          onVisibleRows={pages.onVisibleRows}
          onOpen={({ tid = '' }) => void navigate({ to: '/products/$tid', params: { tid } })}
        />
      )}
      <Group px="md" py={6} justify="space-between" style={{ borderTop: '1px solid var(--line)' }}>
        <Text size="xs" c="dimmed" role="status">
          {t('found', { count: pages.total })}
        </Text>
      </Group>
    </Panes>
  )
}

/** The text may be in a value, which only the search finds. */
function Nothing({ text }: { readonly text: string | undefined }) {
  const t = useTexts(texts)
  if (!text)
    return (
      <Empty icon={IconBox} title={t('empty')}>
        {t('emptyHint')}
      </Empty>
    )
  const toSearch = (props: object) => <Link to="/search" search={{ q: text, index: 'PRODUCT' }} {...props} />
  return (
    <Empty
      icon={IconBox}
      title={t('emptyFilter', { text })}
      action={
        <Button variant="default" renderRoot={toSearch}>
          {t('searchAll')}
        </Button>
      }
    >
      {t('emptyFilterHint')}
    </Empty>
  )
}
