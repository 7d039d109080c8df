<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ql</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 … (%n value(s))</source>
        <translation>
            <numerusform>%1 … (%n value)</numerusform>
            <numerusform>%1 … (%n values)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::CenterView</name>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n operation</numerusform>
            <numerusform>%n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Fold this region of %1 (%n operation(s))</source>
        <translation>
            <numerusform>Fold this region of %1 (%n operation)</numerusform>
            <numerusform>Fold this region of %1 (%n operations)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ConfigForm</name>
    <message numerus="yes">
        <source>%1 … %2 (%n channel(s))</source>
        <translation>
            <numerusform>%1 … %2 (%n channel)</numerusform>
            <numerusform>%1 … %2 (%n channels)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::DataPreview</name>
    <message numerus="yes">
        <source>%n value(s) not finite</source>
        <translation>
            <numerusform>%n value not finite</numerusform>
            <numerusform>%n values not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::DistributionPanel</name>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s), evenly chosen</source>
        <translation>
            <numerusform>%n value, evenly chosen</numerusform>
            <numerusform>%n values, evenly chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s) all zero</source>
        <translation>
            <numerusform>%n channel all zero</numerusform>
            <numerusform>%n channels all zero</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>a scale for each of %n channel(s): see “channels”</source>
        <translation>
            <numerusform>a scale for %n channel: see “channels”</numerusform>
            <numerusform>a scale for each of %n channels: see “channels”</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::EngineLink</name>
    <message numerus="yes">
        <source>(%n byte(s) that are no text)</source>
        <translation>
            <numerusform>(%n byte that is no text)</numerusform>
            <numerusform>(%n bytes that are no text)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ErrorPlot</name>
    <message numerus="yes">
        <source>%n op(s) above %1 (%2)</source>
        <translation>
            <numerusform>%n op above %1 (%2)</numerusform>
            <numerusform>%n ops above %1 (%2)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n above %1 (%2)</source>
        <comment>operations</comment>
        <translation>
            <numerusform>%n above %1 (%2)</numerusform>
            <numerusform>%n above %1 (%2)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::GraphView</name>
    <message numerus="yes">
        <source>shape computation · %n op(s)</source>
        <translation>
            <numerusform>shape computation · %n op</numerusform>
            <numerusform>shape computation · %n ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n op</numerusform>
            <numerusform>%1 · %n ops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n op(s)</source>
        <translation>
            <numerusform>%1: %n op</numerusform>
            <numerusform>%1: %n ops</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::Inspector</name>
    <message numerus="yes">
        <source>Dispatch %n operation(s) as before</source>
        <translation>
            <numerusform>Dispatch %n operation as before</numerusform>
            <numerusform>Dispatch %n operations as before</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %n operation(s) to %1</source>
        <translation>
            <numerusform>Send %n operation to %1</numerusform>
            <numerusform>Send %n operations to %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the selection (%n)</source>
        <translation>
            <numerusform>the selection (%n)</numerusform>
            <numerusform>the selection (%n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1</source>
        <translation>
            <numerusform>%n operation: %1</numerusform>
            <numerusform>%n operations: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n operation</numerusform>
            <numerusform>%n operations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>this tensor in %n of %1</source>
        <translation>
            <numerusform>this tensor in %n of %1</numerusform>
            <numerusform>this tensor in %n of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the scale group (%n slot(s))</source>
        <translation>
            <numerusform>the scale group (%n slot)</numerusform>
            <numerusform>the scale group (%n slots)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::MainWindow</name>
    <message numerus="yes">
        <source>%n operation(s) found</source>
        <translation>
            <numerusform>%n operation found</numerusform>
            <numerusform>%n operations found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n sample</numerusform>
            <numerusform>%n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s)</source>
        <translation>
            <numerusform>%n edit</numerusform>
            <numerusform>%n edits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %n operation(s) to FP32</source>
        <translation>
            <numerusform>Send %n operation to FP32</numerusform>
            <numerusform>Send %n operations to FP32</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wrote %n file(s) into %1</source>
        <translation>
            <numerusform>Wrote %n file into %1</numerusform>
            <numerusform>Wrote %n files into %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) cannot be written, first %1</source>
        <translation>
            <numerusform>%n file cannot be written: %1</numerusform>
            <numerusform>%n files cannot be written, first %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::OperationModel</name>
    <message numerus="yes">
        <source>%n evaluation sample(s) on %1</source>
        <translation>
            <numerusform>%n evaluation sample on %1</numerusform>
            <numerusform>%n evaluation samples on %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PaintedTable</name>
    <message numerus="yes">
        <source>%n more row(s): a CSV holds all</source>
        <translation>
            <numerusform>%n more row: a CSV holds all</numerusform>
            <numerusform>%n more rows: a CSV holds all</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PassModel</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PipelinePanel</name>
    <message numerus="yes">
        <source>in %n operation(s)</source>
        <translation>
            <numerusform>in %n operation</numerusform>
            <numerusform>in %n operations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::PlatformComparison</name>
    <message numerus="yes">
        <source>%n operation(s) differ between %1 and %2.</source>
        <translation>
            <numerusform>%n operation differs between %1 and %2.</numerusform>
            <numerusform>%n operations differ between %1 and %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1 …</source>
        <translation>
            <numerusform>%n operation: %1 …</numerusform>
            <numerusform>%n operations: %1 …</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::RecipePanel</name>
    <message numerus="yes">
        <source>It matches at most %n operation(s). A click marks them in the graph.</source>
        <translation>
            <numerusform>It matches at most %n operation. A click marks it in the graph.</numerusform>
            <numerusform>It matches at most %n operations. A click marks them in the graph.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It matches %n operation(s). A click marks them in the graph.</source>
        <translation>
            <numerusform>It matches %n operation. A click marks it in the graph.</numerusform>
            <numerusform>It matches %n operations. A click marks them in the graph.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::RunModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ScaleGroupCard</name>
    <message numerus="yes">
        <source>%n slot(s) share one scale</source>
        <translation>
            <numerusform>%n slot shares one scale</numerusform>
            <numerusform>%n slots share one scale</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s) share %1</source>
        <translation>
            <numerusform>%n slot shares %1</numerusform>
            <numerusform>%n slots share %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>… and %n more</numerusform>
            <numerusform>… and %n more</numerusform>
        </translation>
    </message>
</context>
</TS>
