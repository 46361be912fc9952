-- Documents have previews of their pages after the first, where the storage asks for them.
alter table asset_preview drop constraint asset_preview_format_check,
  add constraint asset_preview_format_check check (format ~ '^(thumbnail|preview|fullsize|page-[1-9][0-9]?)$');
