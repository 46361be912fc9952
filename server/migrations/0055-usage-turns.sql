-- When the beginning or end of a file's usage rights was last looked for, so that each is recorded once as a change: search
-- and others follow changes only.
alter table asset_usage add turned_at timestamptz not null default now();
