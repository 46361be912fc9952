-- A tree has at most 64 levels. Deeper trees of earlier versions stay readable: existing rows are not checked.
alter table keyword add constraint keyword_path_levels
  check (length(path) - length(replace(path, '/', '')) <= 64) not valid;
alter table project add constraint project_path_levels
  check (length(path) - length(replace(path, '/', '')) <= 64) not valid;
