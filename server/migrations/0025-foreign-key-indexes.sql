-- PostgreSQL does not index foreign keys. Without these, deleting a referenced row scans the whole referencing table: one
-- scan of all products per deleted node. Columns that are mostly null have a partial index, which costs other rows nothing.
create index product_node on product (node_id) where node_id is not null;
create index upload_asset on upload (asset_id) where asset_id is not null;
create index dam_entry_variation_type on dam_entry (variation_type) where variation_type is not null;
create index oidc_client_service_user on oidc_client (service_user) where service_user is not null;
create index user_session_client on user_session (client_id);
create index offline_session_client on offline_session (client_id);
create index user_role_role on user_role (role);
create index group_role_role on group_role (role);
