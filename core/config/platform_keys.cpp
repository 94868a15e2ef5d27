#include "core/config/platform_keys.h"

#include "core/base/result.h"
#include "core/config/quoted.h"

#include <QMap>

namespace redrive {

namespace {

class BindingNames final
{
public:
    explicit BindingNames(Diagnostics& out) : m_out(out) {}

    void addMember(const ConfigValue& table, const QString& key)
    {
        const ConfigValue* value = table.find(key);
        if (value && value->isString() && !value->string.isEmpty())
            add(value->string, *value);
    }

    void addItems(const ConfigValue* array, const QString& key)
    {
        if (!array || !array->isArray())
            return;
        for (const ConfigValue& item : array->items)
            addMember(item, key);
    }

    // Of a table whose keys are the names.
    void addKeys(const ConfigValue* table)
    {
        if (!table || !table->isTable())
            return;
        for (const ConfigValue& item : table->items) {
            ConfigValue atKey = item;
            atKey.line = item.keyLine;
            atKey.column = item.keyColumn;
            add(item.key, atKey);
        }
    }

private:
    void add(const QString& name, const ConfigValue& at)
    {
        if (const QString earlier = m_places.value(name); !earlier.isEmpty()) {
            m_out.error(
                at,
                u"the binding name %1 is taken already, at %2; a name is allowed once, whatever the kind of binding"_s
                    .arg(quoted(name), earlier));
        } else {
            m_places.insert(name, at.place());
        }
    }

    Diagnostics& m_out;
    QMap<QString, QString> m_places;
};

} // namespace

const QStringList& platformKeys()
{
    static const QStringList keys{
        u"$schema"_s,
        u"account_id"_s,
        u"ai"_s,
        u"ai_search"_s,
        u"ai_search_namespaces"_s,
        u"alias"_s,
        u"analytics_engine_datasets"_s,
        u"artifacts"_s,
        u"assets"_s,
        u"base_dir"_s,
        u"browser"_s,
        u"build"_s,
        u"cache"_s,
        u"cloudchamber"_s,
        u"compatibility_date"_s,
        u"compatibility_flags"_s,
        u"compliance_region"_s,
        u"containers"_s,
        u"data_blobs"_s,
        u"define"_s,
        u"dev"_s,
        u"dispatch_namespaces"_s,
        u"durable_objects"_s,
        u"find_additional_modules"_s,
        u"first_party_worker"_s,
        u"flagship"_s,
        u"hyperdrive"_s,
        u"images"_s,
        u"jsx_factory"_s,
        u"jsx_fragment"_s,
        u"keep_names"_s,
        u"keep_vars"_s,
        u"kv_namespaces"_s,
        u"legacy_env"_s,
        u"limits"_s,
        u"logfwdr"_s,
        u"logpush"_s,
        u"main"_s,
        u"media"_s,
        u"migrations"_s,
        u"minify"_s,
        u"miniflare"_s,
        u"mtls_certificates"_s,
        u"name"_s,
        u"no_bundle"_s,
        u"node_compat"_s,
        u"observability"_s,
        u"pages_build_output_dir"_s,
        u"pipelines"_s,
        u"placement"_s,
        u"preserve_file_names"_s,
        u"preview_urls"_s,
        u"previews"_s,
        u"python_modules"_s,
        u"r2_buckets"_s,
        u"ratelimits"_s,
        u"route"_s,
        u"routes"_s,
        u"rules"_s,
        u"secrets"_s,
        u"secrets_store_secrets"_s,
        u"send_email"_s,
        u"send_metrics"_s,
        u"services"_s,
        u"site"_s,
        u"stream"_s,
        u"streaming_tail_consumers"_s,
        u"tail_consumers"_s,
        u"text_blobs"_s,
        u"tsconfig"_s,
        u"unsafe"_s,
        u"unsafe_hello_world"_s,
        u"upload_source_maps"_s,
        u"usage_model"_s,
        u"vars"_s,
        u"vectorize"_s,
        u"version_metadata"_s,
        u"vpc_networks"_s,
        u"vpc_services"_s,
        u"wasm_modules"_s,
        u"websockets"_s,
        u"worker_loaders"_s,
        u"workers_dev"_s,
        u"workflows"_s,
        u"zone_id"_s,
    };
    return keys;
}

void checkBindingNames(const ConfigValue& scope, Diagnostics& out)
{
    BindingNames names(out);
    if (const ConfigValue* queues = scope.find(u"queues"_s))
        names.addItems(queues->find(u"producers"_s), u"binding"_s);
    for (const QString& kind :
         {u"d1_databases"_s, u"kv_namespaces"_s, u"r2_buckets"_s, u"services"_s,
          u"analytics_engine_datasets"_s, u"hyperdrive"_s, u"vectorize"_s, u"workflows"_s,
          u"mtls_certificates"_s, u"dispatch_namespaces"_s, u"pipelines"_s, u"secrets_store_secrets"_s,
          u"worker_loaders"_s, u"vpc_services"_s}) {
        names.addItems(scope.find(kind), u"binding"_s);
    }
    for (const QString& kind : {u"send_email"_s, u"ratelimits"_s})
        names.addItems(scope.find(kind), u"name"_s);
    if (const ConfigValue* objects = scope.find(u"durable_objects"_s))
        names.addItems(objects->find(u"bindings"_s), u"name"_s);
    for (const QString& kind : {u"ai"_s, u"browser"_s, u"images"_s, u"version_metadata"_s, u"assets"_s}) {
        if (const ConfigValue* table = scope.find(kind))
            names.addMember(*table, u"binding"_s);
    }
    names.addKeys(scope.find(u"vars"_s));
}

} // namespace redrive
