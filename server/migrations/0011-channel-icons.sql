-- The kinds of channels that exist from the start get a picture each, drawn in place so that no client needs a file for it.
update project_type t
set meta = t.meta || jsonb_build_array(jsonb_build_object('key', 'icon', 'value',
  'data:image/svg+xml,%3Csvg xmlns=''http://www.w3.org/2000/svg'' viewBox=''0 0 24 24'' fill=''none'' stroke=''%23556'' stroke-width=''2''%3E%3Cpath d='''
  || drawn.path || '''/%3E%3C/svg%3E'))
from (values
  ('Catalogue',   'M12 6C9 4 6 4 3 5v14c3-1 6-1 9 1 3-2 6-2 9-1V5c-3-1-6-1-9 1zM12 6v14'),
  ('Webshop',     'M3 4h3l2 11h10l2-8H7M9 20h.01M17 20h.01'),
  ('Marketplace', 'M4 10v10h16V10M3 10l2-6h14l2 6zM10 20v-6h4v6')
) as drawn (tid, path)
where t.tid = drawn.tid and not t.meta @> '[{"key": "icon"}]';
